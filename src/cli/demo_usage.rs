//! The demo's daily sessions: some two weeks with a few messages a day and several models, so that the usage
//! has something to show; and the prices that its costs are made with. Both are made up.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use serde_json::json;

use super::sessions::Lines;
use super::{DAY, before, write};
use crate::base::time::Moment;

const HOUR: i64 = 60 * 60;

/// A session of some day: in which project it ran (the first, or the one in Chinese), how long ago, its
/// turns, its model, and what was asked.
struct Daily {
    is_first: bool,
    days_ago: i64,
    turns: i64,
    model: &'static str,
    asked: &'static str,
}

const LARGE: &str = "claude-opus-4-6";
const MIDDLE: &str = "claude-sonnet-4-6";
const SMALL: &str = "claude-haiku-4-5";

const fn daily(
    is_first: bool,
    days_ago: i64,
    turns: i64,
    model: &'static str,
    asked: &'static str,
) -> Daily {
    Daily {
        is_first,
        days_ago,
        turns,
        model,
        asked,
    }
}

const DAILY: [Daily; 12] = [
    daily(
        true,
        2,
        5,
        MIDDLE,
        "The filter of the search forgets its sorting when one goes back.",
    ),
    daily(
        false,
        3,
        4,
        MIDDLE,
        "对账任务昨晚慢了一倍，先看看是哪一步。",
    ),
    daily(
        true,
        3,
        2,
        SMALL,
        "Which of our dependencies are a year old or more?",
    ),
    daily(
        true,
        4,
        7,
        LARGE,
        "Plan how the checkout could do without the old session store.",
    ),
    daily(
        true,
        5,
        3,
        MIDDLE,
        "Write the release notes of 2.31 from the merged changes.",
    ),
    daily(false, 6, 6, LARGE, "把退款表的分区方案写成一页，给团队看。"),
    daily(true, 7, 2, SMALL, "Rename the voucher field in all tests."),
    daily(
        true,
        8,
        4,
        MIDDLE,
        "A screen reader hears the number of results twice. Why?",
    ),
    daily(false, 10, 3, SMALL, "给夜间任务的日志加上批次号。"),
    daily(
        true,
        11,
        6,
        MIDDLE,
        "The start page shifts while its pictures load: measure it, then mend it.",
    ),
    daily(
        true,
        12,
        4,
        LARGE,
        "Review the change of the address service before it is merged.",
    ),
    daily(false, 13, 5, MIDDLE, "把时区的约定在所有任务里核对一遍。"),
];

/// Writes them: each project by the folder of its sessions, and the folder that they ran in.
pub(super) fn write_all(
    first: (&Path, &Path),
    chinese: (&Path, &Path),
    now: Moment,
) -> io::Result<()> {
    for (number, one) in DAILY.iter().enumerate() {
        let (kept, folder) = if one.is_first { first } else { chinese };
        let id = format!(
            "{:08x}-7d21-4c3e-8f5a-2b6c9d0e1f34",
            0x3a51_c0d7 + number * 0x0101_0101
        );
        let began = before(now, one.days_ago * DAY + 2 * HOUR);
        let mut lines = Lines::new(&id, folder, began).of_model(one.model);
        for turn in 0..one.turns {
            let asked = match turn {
                0 => one.asked.to_string(),
                _ => format!("Go on with step {}.", turn + 1),
            };
            lines.prompt(turn * 6, &asked);
            // Some of it was said before: the cache has it.
            let size = u64::try_from(turn).unwrap_or_default() + 1;
            let used = json!({
                "input_tokens": 40 + 11 * number, "output_tokens": 900 + 260 * size,
                "cache_read_input_tokens": 18_000 * size, "cache_creation_input_tokens": 2_400 + 300 * size,
                "cache_creation": {
                    "ephemeral_5m_input_tokens": 2_400, "ephemeral_1h_input_tokens": 300 * size,
                },
            });
            lines.answer_for(
                turn * 6 + 2,
                &json!([{"type": "text", "text": "Done; the details stand in the change."}]),
                &used,
            );
        }
        lines.write(&kept.join(format!("{id}.jsonl")), one.turns * 6)?;
    }
    Ok(())
}

/// The demo's own `config.toml`.
pub(super) fn write_prices(home: &Path, now: Moment) -> io::Result<()> {
    let mut text = "# Sample figures of the demo, in US dollars a million tokens: nobody's price list. In your own\n\
                    # config.toml the rows begin as the names of your models do.\n"
        .to_string();
    for (model, input, output) in [
        ("claude-opus", 5, 25),
        ("claude-sonnet", 3, 15),
        ("claude-haiku", 1, 5),
    ] {
        let _ = write!(
            text,
            "\n[prices.\"{model}\"]\ninput = {input}\noutput = {output}\n"
        );
    }
    write(&home.join(".config/loci/config.toml"), text.as_bytes(), now)
}
