use super::*;

fn first(vars: &[(&str, &str)]) -> Option<&'static str> {
    let clipboard = Clipboard::from(|name| {
        let found = vars.iter().find(|(set, _)| *set == name);
        found.map(|(_, value)| (*value).to_string())
    });
    clipboard.programs.first().map(|command| command[0])
}

#[test]
fn which_program_is_tried_depends_on_the_display_and_over_ssh_none_is() {
    assert_eq!(
        first(&[("WAYLAND_DISPLAY", "wayland-0"), ("DISPLAY", ":0")]),
        Some("wl-copy")
    );
    assert_eq!(first(&[("DISPLAY", ":0")]), Some("xclip"));
    assert_eq!(
        first(&[("DISPLAY", ":10"), ("SSH_CONNECTION", "a b c d")]),
        None
    );
    if !cfg!(target_os = "macos") {
        assert_eq!(first(&[("DISPLAY", "")]), None);
    }
}

#[test]
fn a_program_that_is_not_there_is_passed_over_and_one_that_fails_is_told() {
    let of = |programs| Clipboard { programs };
    assert_eq!(of(&[]).copy("x"), Ok(None));
    assert_eq!(of(&[&["no-such-program-of-ours"]]).copy("x"), Ok(None));
    let takes: &[&[&str]] = &[
        &["no-such-program-of-ours"],
        &["sh", "-c", "test \"$(cat)\" = x"],
    ];
    assert_eq!(of(takes).copy("x"), Ok(Some("sh")));
    let fails = of(&[&["sh", "-c", "cat > /dev/null; exit 3"]]).copy("x");
    assert_eq!(fails, Err("sh ended with exit status: 3".to_string()));
}
