//! How long the local ranker takes: an index over 5,000 memories built, and asked. Reports times, judges
//! nothing.

use std::borrow::Cow;
use std::hint::black_box;
use std::time::{Duration, Instant};

use loci::base::time::Moment;
use loci::memory::ranker::{Builder, Document, Index, Wanted};

const MEMORIES: usize = 5_000;
const ROUNDS: usize = 50;

/// A made-up vocabulary: words as often as in a language, a few everywhere and most seldom.
struct Words {
    seed: u64,
}

impl Words {
    fn next(&mut self, below: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        usize::try_from(self.seed % below as u64).unwrap_or(0)
    }

    fn word(&mut self) -> String {
        let most = [30, 300, 3_000, 30_000][self.next(4)];
        let mut number = self.next(most) + 7;
        let mut word = String::new();
        while number > 0 {
            word.push_str(
                [
                    "ba", "ke", "li", "mo", "nu", "ra", "si", "ton", "ver", "zig",
                ][number % 10],
            );
            number /= 10;
        }
        word
    }

    fn text(&mut self, many: usize) -> String {
        let words: Vec<String> = (0..many).map(|_| self.word()).collect();
        words.join(" ")
    }
}

fn built() -> Index {
    let mut words = Words {
        seed: 88_172_645_463_325_252,
    };
    let mut builder = Builder::default();
    for number in 0..MEMORIES {
        let saved = i64::try_from(number).unwrap_or(0);
        let (name, description, body) = (words.text(3), words.text(14), words.text(110));
        builder.add(&Document {
            path: &format!("memory-{number:04}.md"),
            name: Some(&name),
            description: Some(&description),
            kind: Some("project"),
            body: Cow::Borrowed(&body),
            saved: Some(Moment::from_seconds(1_000_000 + 1_000 * saved)),
        });
    }
    builder.finish()
}

fn main() {
    let begun = Instant::now();
    let index = built();
    println!(
        "{MEMORIES} memories indexed in {:?} (made up, too), about {} KiB",
        begun.elapsed(),
        index.bytes() / 1024
    );
    let mut words = Words { seed: 7 };
    for (name, many) in [
        ("short question, 4 words", 4),
        ("question, 25 words", 25),
        ("pasted log, 400 words", 400),
    ] {
        let question = words.text(many);
        for sure in [true, false] {
            let wanted = Wanted {
                most: 5,
                sure,
                now: Moment::from_seconds(10_000_000),
            };
            let mut times: Vec<Duration> = (0..ROUNDS)
                .map(|_| {
                    let start = Instant::now();
                    black_box(index.rank(black_box(&question), &wanted));
                    start.elapsed()
                })
                .collect();
            times.sort();
            let ms = |time: Duration| time.as_secs_f64() * 1e3;
            let how = if sure { "picked" } else { "related" };
            println!(
                "{name:<26} {how:<8} best {:7.3} ms · middle {:7.3} ms · worst {:7.3} ms",
                ms(times[0]),
                ms(times[ROUNDS / 2]),
                ms(times[ROUNDS - 1]),
            );
        }
    }
}
