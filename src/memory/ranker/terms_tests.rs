use super::*;

fn texts(text: &str) -> Vec<String> {
    terms(text).into_iter().map(|term| term.text).collect()
}

#[test]
fn identifiers_give_their_parts_and_themselves_however_they_are_written() {
    let snake = texts("boot_write_img_confirmed()");
    assert_eq!(
        snake,
        ["boot", "writ", "imag", "confirm", "bootwriteimgconfirmed"]
    );
    assert_eq!(texts("bootWriteImgConfirmed"), snake);
    assert_eq!(texts("CKError"), ["ck", "error", "ckerror"]);
    assert_eq!(
        texts("shipping/bring.py"),
        ["ship", "bring", "python", "bringpy"]
    );
}

#[test]
fn words_that_carry_nothing_are_left_out() {
    assert_eq!(texts("What is the that's und der?"), Vec::<String>::new());
    assert_eq!(texts("E23 — x 9"), ["e23", "9"]);
}

#[test]
fn cjk_text_is_pairs_of_characters() {
    assert_eq!(texts("补数流程"), ["补数", "数流", "流程"]);
    assert_eq!(texts("把 lag 补"), ["lag", "补"]);
}

#[test]
fn what_stands_after_a_word_that_turns_down_is_known() {
    let negated = |text: &str| -> Vec<String> {
        let terms = terms(text).into_iter();
        terms
            .filter(|term| term.negated)
            .map(|term| term.text)
            .collect()
    };
    assert_eq!(
        negated("Do not propose LLVM. Cranelift only"),
        ["propos", "llvm"]
    );
    assert_eq!(negated("kein-apply-ohne-plan")[0], "appli");
    assert!(negated("不要再建新表").contains(&"新表".to_string()));
    assert_eq!(negated("use LLVM"), Vec::<String>::new());
}

#[test]
fn no_text_is_too_odd() {
    for text in [
        "",
        "'",
        "-_.",
        "🦀🦀",
        "a\u{301}\u{301}",
        "İ",
        "ﬁ",
        "x".repeat(10_000).as_str(),
    ] {
        let _ = terms(text);
    }
}
