use super::*;

#[test]
fn it_warns_from_four_fifths_and_errs_past_the_limit() {
    assert_eq!(role(159, 200), Role::Ok);
    assert_eq!(role(160, 200), Role::Warning);
    assert_eq!(role(200, 200), Role::Warning);
    assert_eq!(role(201, 200), Role::Error);
}

#[test]
fn the_bar_is_never_longer_than_it_may_be() {
    let theme = Theme::terminal(false);
    for (used, bar) in [(0, "░░░░"), (1, "▓░░░"), (200, "▓▓▓▓"), (9_999, "▓▓▓▓")]
    {
        let spans = meter("lines", used, 200, 4, theme);
        assert_eq!(spans[2].content.trim_start(), bar);
    }
    let spans = meter("units", 24_310, 25_000, 4, theme);
    assert_eq!(spans[1].content, "24,310/25,000");
}
