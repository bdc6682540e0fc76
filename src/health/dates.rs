//! Dates that only the day of writing explains: "last week", "昨天".

use crate::health::code::Code;
use crate::health::gathered::{Gathered, Spot};
use crate::health::page::Page;

/// Words that are relative by themselves.
const ALONE: [&str; 5] = ["yesterday", "today", "tomorrow", "tonight", "nowadays"];

/// "last week": the first word, and what may follow it.
const BEFORE: [&str; 3] = ["last", "next", "this"];
const SPANS: [&str; 17] = [
    "week",
    "weekend",
    "month",
    "quarter",
    "year",
    "night",
    "sprint",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "morning",
    "evening",
    "afternoon",
];

/// "two weeks ago": what stands before `ago`.
const UNITS: [&str; 12] = [
    "day", "days", "week", "weeks", "month", "months", "year", "years", "hour", "hours", "minute",
    "minutes",
];

const CHINESE: [&str; 38] = [
    "昨天",
    "昨晚",
    "昨日",
    "今天",
    "今晚",
    "今日",
    "今早",
    "今年",
    "明天",
    "明晚",
    "明日",
    "明年",
    "前天",
    "后天",
    "去年",
    "前年",
    "上周",
    "上星期",
    "上个月",
    "上月",
    "上季度",
    "上个季度",
    "下周",
    "下星期",
    "下个月",
    "下月",
    "下季度",
    "下个季度",
    "本周",
    "本月",
    "本季度",
    "这周",
    "这个月",
    "这个季度",
    "天前",
    "周前",
    "个月前",
    "年前",
];

/// What stands before a phrase that then is none: 说明 + 天, 以前 + 天天.
const OTHER_WORD: [(&str, char); 6] = [
    ("明天", '说'),
    ("明日", '说'),
    ("前天", '以'),
    ("后天", '以'),
    ("前年", '以'),
    ("本月", '基'),
];

pub fn look(page: &Page<'_>, out: &mut Gathered<'_>) {
    let mut tell = |line: usize, phrase: &str| {
        let written = page.memory.modified.map(crate::base::time::Moment::date);
        let when = written.map_or(String::new(), |date| format!(" (the file is of {date})"));
        let message = format!(
            "\"{phrase}\" can't be read in three months, and the model takes it from the day of reading: write the date{when}"
        );
        out.add(
            Code::RelativeDate,
            Spot::line(page.path, line),
            message,
            None,
        );
    };
    if let Some(field) = page.field("description").filter(|_| page.has_block())
        && let Some((_, phrase)) = relative(&field.value, |_| false)
    {
        tell(field.line, &phrase);
    }
    for line in page.lines() {
        if let Some((_, phrase)) = relative(line.text, |at| page.is_code(line.start + at)) {
            tell(line.number, &phrase);
        }
    }
}

/// The first relative date of a line, unless the line has a date that explains it.
fn relative(line: &str, is_code: impl Fn(usize) -> bool) -> Option<(usize, String)> {
    let found = english(line, &is_code).or_else(|| chinese(line, &is_code))?;
    (!has_date(line)).then_some(found)
}

fn english(line: &str, is_code: &impl Fn(usize) -> bool) -> Option<(usize, String)> {
    // The two words before, each with its byte, as far as only a space parts them.
    let mut before: [Option<(usize, String)>; 2] = [None, None];
    let mut at = 0;
    for (start, word) in words(line) {
        if &line[at..start] != " " {
            before = [None, None];
        }
        at = start + word.len();
        let lower = word.to_ascii_lowercase();
        let [earlier, last] = &before;
        let found = if ALONE.contains(&lower.as_str()) {
            Some(start)
        } else if SPANS.contains(&lower.as_str()) {
            let by = last
                .as_ref()
                .filter(|(_, by)| BEFORE.contains(&by.as_str()));
            by.map(|(from, _)| *from)
        } else if lower == "ago" {
            let unit = last
                .as_ref()
                .filter(|(_, unit)| UNITS.contains(&unit.as_str()));
            unit.map(|(from, _)| earlier.as_ref().map_or(*from, |(from, _)| *from))
        } else {
            None
        };
        if let Some(from) = found.filter(|from| !is_code(*from)) {
            return Some((from, line[from..at].to_string()));
        }
        let [_, last] = before;
        before = [last, Some((start, lower))];
    }
    None
}

/// Words of ASCII letters and digits, with their bytes.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '_' | '-');
    let base = line.as_ptr() as usize;
    line.split(move |c| !is_word(c))
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - base, word))
}

fn chinese(line: &str, is_code: &impl Fn(usize) -> bool) -> Option<(usize, String)> {
    if line.is_ascii() {
        return None;
    }
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        if !c.is_ascii() {
            let rest = &line[at..];
            let phrase = CHINESE.iter().find(|phrase| rest.starts_with(**phrase));
            if let Some(phrase) = phrase.filter(|phrase| is_meant(phrase, before))
                && !is_code(at)
            {
                return Some((at, (*phrase).to_string()));
            }
        }
        before = c;
    }
    None
}

/// Whether a phrase is the relative date that it looks like: of "…天前" only behind a number.
fn is_meant(phrase: &str, before: char) -> bool {
    let counts = |c: char| c.is_ascii_digit() || "一二两三四五六七八九十几数半".contains(c);
    if matches!(phrase, "天前" | "周前" | "个月前" | "年前") {
        return counts(before);
    }
    !OTHER_WORD.contains(&(phrase, before))
}

/// Whether a line has a date of the calendar: `2026-05-04`, `2026年5月`.
fn has_date(line: &str) -> bool {
    let mut digits = 0;
    for c in line.chars() {
        match c {
            '0'..='9' => digits += 1,
            '-' | '/' | '年' if digits == 4 => return true,
            _ => digits = 0,
        }
    }
    false
}

#[cfg(test)]
#[path = "dates_tests.rs"]
mod tests;
