use super::*;

/// A clock, a question that was put at its beginning or not, and what the sift gives.
struct Bench {
    sift: Sift,
    began: Instant,
    at: Duration,
    asked: bool,
}

impl Bench {
    fn new(asked: bool) -> Self {
        Self {
            sift: Sift::new(),
            began: Instant::now(),
            at: Duration::ZERO,
            asked,
        }
    }

    fn asked() -> Self {
        Self::new(true)
    }

    fn after(&mut self, milliseconds: u64) -> &mut Self {
        self.at += Duration::from_millis(milliseconds);
        self
    }

    fn take(&mut self, bytes: &str) -> String {
        let times = (self.began + self.at, self.asked.then_some(self.began));
        told(self.sift.take(bytes.as_bytes(), times, false))
    }

    /// What comes when nothing does; it must be due.
    fn expire(&mut self) -> String {
        let now = self.began + self.at;
        assert!(self.sift.due().is_some_and(|due| due <= now));
        told(self.sift.expire(now))
    }
}

/// Keys as they are, an answer in brackets.
fn told(sifted: Vec<Sifted>) -> String {
    let told = sifted.into_iter().map(|part| match part {
        Sifted::Keys(bytes) => String::from_utf8(bytes).unwrap(),
        Sifted::Answer(text) => format!("<{}>", String::from_utf8(text).unwrap()),
        Sifted::Unended => "(unended)".to_string(),
    });
    told.collect()
}

#[test]
fn whatever_an_answer_holds_none_of_it_is_keys() {
    for held in [
        "11;rgb:1010/1010/1010",
        "11;#ffffff",
        "11;",
        "",
        "11;rgb:zz/zz/zz",
        "11;rgbi:1.0/0.5/0.0",
        "11;white",
        "11;qdE\r\n\t数",
        "lq",
    ] {
        for end in ["\x07", "\x1b\\"] {
            let came = format!("j\x1b]{held}{end}k");
            assert_eq!(Bench::asked().take(&came), format!("j<{held}>k"));
        }
    }
    assert_eq!(Bench::asked().take("j\x1bP1+r\x1b\\\x1b_Gi\x07k"), "jk");
}

#[test]
fn an_answer_may_come_byte_by_byte() {
    let mut bench = Bench::asked();
    let whole = "\x1b]11;rgb:1010/1010/1010\x1b\\";
    let mut given = String::new();
    for byte in whole.chars() {
        given += &bench.after(75).take(&byte.to_string());
    }
    assert_eq!(given, "<11;rgb:1010/1010/1010>");
    // Long after: nothing is owed any more, the same bytes are keys.
    assert_eq!(bench.after(3_000).take("\x1b]11;x\x07"), "\x1b]11;x\x07");
    let mut bench = Bench::asked();
    assert_eq!(bench.take("\x1b]11;rg"), "");
    assert_eq!(bench.after(990).take("b:0/0"), "");
    assert_eq!(bench.after(990).take("/0\x07"), "<11;rgb:0/0/0>");
}

#[test]
fn answers_in_a_burst_are_all_taken_out() {
    let burst = "\x1b]11;qq\x07".repeat(200);
    let mut bench = Bench::asked();
    bench.after(1_990);
    assert_eq!(bench.take(&burst), "<11;qq>".repeat(200));
    assert_eq!(bench.after(500).take(&burst), "<11;qq>".repeat(200));
}

#[test]
fn an_answer_without_an_end_is_over_at_a_pause() {
    let mut bench = Bench::asked();
    assert_eq!(bench.take("\x1b]11;rgb:"), "");
    assert_eq!(bench.after(1_000).take("q"), "q");
    // Much of it, and it goes on without a pause.
    let mut bench = Bench::asked();
    assert_eq!(bench.take("\x1b]11;"), "");
    for _ in 0..1_000 {
        assert_eq!(bench.after(3).take(&"q".repeat(1_000)), "");
    }
    assert_eq!(bench.after(100).take("q"), "q");
    // Ctrl-c is in no answer, and a sequence of its own ends it.
    assert_eq!(Bench::asked().take("\x1b]11;rgb:\x03q"), "\x03q");
    assert_eq!(Bench::asked().take("\x1b]11;rgb:\x1b[Aq"), "\x1b[Aq");
}

#[test]
fn what_is_typed_is_not_taken_for_an_answer() {
    // Nothing was asked.
    let mut bench = Bench::new(false);
    assert_eq!(bench.take("\x1b"), "\x1b");
    assert_eq!(bench.take("\x1b]11;rgb:0/0/0\x07"), "\x1b]11;rgb:0/0/0\x07");
    // Nothing follows it.
    let mut bench = Bench::asked();
    assert_eq!(bench.take("\x1b]"), "");
    assert_eq!(bench.after(1_000).expire(), "\x1b]");
    let mut bench = Bench::asked();
    assert_eq!(bench.take("\x1b"), "");
    assert_eq!(bench.after(300).expire(), "\x1b");
    assert_eq!(bench.sift.due(), None);
    assert_eq!(
        Bench::asked().take("\x1b[A\x1bx\x1bOP]"),
        "\x1b[A\x1bx\x1bOP]"
    );
    // The terminal is slow, or mute: only an answer to the question is one, and escape is at once.
    let mut bench = Bench::asked();
    bench.after(5_000);
    assert_eq!(bench.take("\x1b]text"), "\x1b]text");
    assert_eq!(bench.take("\x1b"), "\x1b");
    assert_eq!(bench.take("\x1bPq\x1b_q"), "\x1bPq\x1b_q");
    assert_eq!(bench.take("\x1b]11;rgb:0/0/0\x07"), "<11;rgb:0/0/0>");
}

#[test]
fn a_paste_is_left_as_it_is() {
    let paste = "\x1b[200~a\x1b]11;b\x07 \x03\x03 \x1b[20\x1b[201~q";
    assert_eq!(Bench::asked().take(paste), paste);
    let mut bench = Bench::asked();
    let given: String = paste.chars().map(|c| bench.take(&c.to_string())).collect();
    assert_eq!(given, paste);
    // It is over: what looks like an answer is one.
    assert_eq!(bench.take("\x1b]11;\x07"), "<11;>");
}

#[test]
fn a_paste_without_an_end_is_told_of_and_ended_by_hand() {
    let mut bench = Bench::new(false);
    assert_eq!(bench.take("\x1b[200~abc"), "\x1b[200~abc");
    assert_eq!(bench.after(2_000).expire(), "(unended)");
    assert_eq!(bench.sift.due(), None);
    assert_eq!(bench.take("q"), "q");
    assert_eq!(bench.after(2_000).expire(), "(unended)");
    assert_eq!(bench.take("\x03"), "");
    assert_eq!(bench.take("\x03"), "");
    assert_eq!(bench.take("\x03\x03q"), "\x1b[201~\x03q");
    assert_eq!(bench.sift.due(), None);
}
