use super::*;

fn palette(typed: &str) -> Palette {
    let mut palette = Palette::default();
    palette.input.paste(typed);
    palette
}

#[test]
fn the_palette_finds_by_name_first() {
    assert_eq!(palette("ind").chosen(), Some(Action::ShowIndex));
    assert_eq!(palette("qt").chosen(), Some(Action::Quit));
    assert_eq!(palette("zzzz").chosen(), None);
    assert!(palette("").offers().len() > 15);
}

#[test]
fn the_help_filters_by_words_and_keys() {
    let mut help = Help::of(&Keymap::default());
    assert_eq!(help.lines().len(), Keymap::default().help_lines().len());
    help.filter.paste("half down");
    assert_eq!(help.lines().len(), 1);
    let mut by_key = Help::of(&Keymap::default());
    by_key.filter.paste("ctrl-z");
    assert_eq!(by_key.lines()[0].entry.action, Action::Suspend);
}
