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
fn the_help_begins_with_the_keys_of_the_view_in_which_it_is_asked() {
    let keymap = Keymap::default();
    for (scope, own, common) in [
        (Scope::Preview, Action::PreviewLayout, Action::Down),
        (Scope::Health, Action::Fix, Action::Quit),
    ] {
        let help = Help::of(&keymap, scope);
        let lines = help.lines();
        assert_eq!(lines.len(), keymap.help_lines().len());
        let at = |action| lines.iter().position(|line| line.entry.action == action);
        assert!(at(own) < at(common), "{scope:?}");
        assert_eq!(lines[0].scopes, [scope]);
        let here = lines.iter().take_while(|line| line.scopes.contains(&scope));
        let all = lines
            .iter()
            .filter(|line| line.scopes.contains(&scope) && !line.keys.is_empty());
        assert_eq!(here.count(), all.count());
    }
}

#[test]
fn the_help_filters_by_words_and_keys() {
    let mut help = Help::of(&Keymap::default(), Scope::Tree);
    assert_eq!(help.lines().len(), Keymap::default().help_lines().len());
    help.filter.paste("half down");
    assert_eq!(help.lines().len(), 1);
    let mut by_key = Help::of(&Keymap::default(), Scope::Tree);
    by_key.filter.paste("ctrl-z");
    assert_eq!(by_key.lines()[0].entry.action, Action::Suspend);
}

#[test]
fn a_view_s_name_finds_what_is_said_of_it_and_its_own_keys_not_all_that_work_there() {
    let found = |typed: &str| {
        let mut help = Help::of(&Keymap::default(), Scope::Tree);
        help.filter.paste(typed);
        let lines = help.lines().into_iter();
        lines.map(|line| line.entry.action).collect::<Vec<_>>()
    };
    for typed in ["session", "usage"] {
        let found = found(typed);
        let all = Keymap::default().help_lines().len();
        assert!(found.len() < all / 3, "{typed}: {found:?}");
        assert!(!found.contains(&Action::Down) && !found.contains(&Action::Quit));
    }
    let usage = found("usage");
    assert!(usage.contains(&Action::ShowUsage));
    // Its place alone names it, so it comes behind those that say so.
    let session = found("session");
    let at = |action| session.iter().position(|one| *one == action).unwrap();
    assert!(at(Action::Turns) < at(Action::UnfoldAll));
}
