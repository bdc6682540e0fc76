use super::*;

#[test]
fn latin_text_counts_by_three_and_each_cjk_character_by_itself() {
    assert_eq!(estimate(""), 0);
    assert_eq!(estimate("abc"), 1);
    assert_eq!(estimate("abcd"), 2);
    assert_eq!(estimate("数据库"), 3);
    assert_eq!(estimate("数据库 and"), 3 + 2);
    assert_eq!(estimate("naïve"), 2, "characters count, not bytes");
}
