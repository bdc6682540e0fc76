//! Words that ask for obedience, and those among them that only a machine can see to.

/// A line that holds one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strict<'t> {
    /// Number of the line, from 0.
    pub line: usize,
    pub word: &'t str,
}

const WORDS: [&str; 3] = ["must", "never", "always"];
const CHINESE: [&str; 2] = ["必须", "禁止"];

/// What a hook can see: acts, not manners.
const ACTS: [&str; 14] = [
    "commit",
    "push",
    "merge",
    "deploy",
    "publish",
    "rm -rf",
    "delete",
    "--no-verify",
    "force",
    "run the tests",
    "run tests",
    "lint",
    "format",
    ".env",
];
const CHINESE_ACTS: [&str; 7] = ["提交", "推送", "合并", "部署", "发布", "删除", "格式化"];

/// Lines that say must, never, always, 必须 or 禁止.
pub fn strict(text: &str) -> impl Iterator<Item = Strict<'_>> {
    text.lines().enumerate().filter_map(|(line, text)| {
        let word = words(text)
            .find(|word| WORDS.iter().any(|one| word.eq_ignore_ascii_case(one)))
            .or_else(|| chinese(text))?;
        Some(Strict { line, word })
    })
}

/// Lines that say so in capitals (Chinese has none) of an act that a hook can see.
pub fn unenforced(text: &str) -> impl Iterator<Item = Strict<'_>> {
    text.lines().enumerate().filter_map(|(line, text)| {
        let is_loud = |word: &&str| WORDS.iter().any(|one| *word == one.to_ascii_uppercase());
        let word = words(text).find(is_loud).or_else(|| chinese(text))?;
        let small = text.to_ascii_lowercase();
        let is_act = ACTS
            .iter()
            .chain(&CHINESE_ACTS)
            .any(|act| small.contains(act));
        is_act.then_some(Strict { line, word })
    })
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_ascii_alphabetic())
}

fn chinese(line: &str) -> Option<&'static str> {
    CHINESE.into_iter().find(|word| line.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_words_are_whole_words_in_either_language() {
        let lines = |text| {
            strict(text)
                .map(|one| (one.line, one.word))
                .collect::<Vec<_>>()
        };
        assert_eq!(lines("a\nYou must not\nmustard"), [(1, "must")]);
        assert_eq!(lines("Never.\n- 禁止直接写库"), [(0, "Never"), (1, "禁止")]);
        assert_eq!(lines("prefer small commits"), []);
    }

    #[test]
    fn only_a_loud_wish_about_an_act_calls_for_a_hook() {
        let lines = |text| unenforced(text).map(|one| one.line).collect::<Vec<_>>();
        assert_eq!(
            lines("NEVER push to main\nnever push to main\nALWAYS be kind\n禁止删除迁移"),
            [0, 3]
        );
    }
}
