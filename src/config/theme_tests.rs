use super::*;

/// Relative luminance (WCAG 2.1).
fn luminance(tint: Tint) -> f64 {
    let Tint::Rgb(red, green, blue) = tint else {
        panic!("{tint:?} has no luminance of its own");
    };
    let part = |value: u8| {
        let part = f64::from(value) / 255.0;
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
}

fn contrast(one: Tint, other: Tint) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn contrast_is_counted_as_it_is_defined() {
    let (black, white) = (rgb(0), rgb(0x00ff_ffff));
    assert!((contrast(black, white) - 21.0).abs() < 0.001);
    assert!((contrast(rgb(0x0077_7777), white) - 4.48).abs() < 0.01);
}

#[test]
fn every_role_of_dark_and_light_can_be_read() {
    for palette in [Palette::DARK, Palette::LIGHT] {
        for role in Role::ALL {
            let found = contrast(palette.tint(role), palette.background);
            assert!(found >= 4.5, "{role:?}: {found:.2} in {palette:?}");
        }
    }
}

#[test]
fn the_terminals_theme_sets_neither_black_nor_white_nor_any_other_shade() {
    for role in Role::ALL {
        match Palette::TERMINAL.tint(role) {
            Tint::Default => {}
            Tint::Own(number) => assert!((1..=6).contains(&number), "{role:?}"),
            Tint::Rgb(..) => panic!("{role:?} is none of the 16"),
        }
    }
    assert_eq!(Palette::TERMINAL.background, Tint::Default);
}

#[test]
fn a_tint_is_read_as_it_is_written() {
    assert_eq!(Tint::read("#0aFf10"), Some(Tint::Rgb(10, 255, 16)));
    assert_eq!(Tint::read("bright-cyan"), Some(Tint::Own(14)));
    assert_eq!(Tint::read("default"), Some(Tint::Default));
    for wrong in ["#fff", "#+12345", "#ggffgg", "cyann", "", "#"] {
        assert_eq!(Tint::read(wrong), None, "{wrong}");
    }
}

#[test]
fn an_own_theme_is_its_base_and_what_it_sets() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "mine.toml",
        "accent = \"#ff0000\"\nbase = \"dark\"\nbackground = \"default\"\ndim = \"dimm\"\nfoo = \"red\"\n",
    );
    write("bad.toml", "= 1\n");
    write("auto.toml", "");
    write("readme.txt", "= 1\n");
    let (themes, faults) = read(&Disk::system(), folder.path());
    let names: Vec<&str> = themes.iter().map(|theme| theme.name.as_str()).collect();
    assert_eq!(names, ["terminal", "dark", "light", "mine"]);
    let mine = themes[3].palette;
    assert_eq!(mine.tint(Role::Accent), Tint::Rgb(255, 0, 0));
    assert_eq!(mine.tint(Role::Text), Palette::DARK.tint(Role::Text));
    assert_eq!(mine.tint(Role::Dim), Palette::DARK.tint(Role::Dim));
    assert_eq!(mine.background, Tint::Default);
    let told: Vec<(String, Option<usize>)> = faults
        .iter()
        .map(|fault| {
            let name = fault.file.file_name().unwrap().to_string_lossy();
            (name.into_owned(), fault.line)
        })
        .collect();
    assert_eq!(
        told,
        [
            ("auto.toml".to_string(), None),
            ("bad.toml".to_string(), Some(1)),
            ("mine.toml".to_string(), Some(4)),
            ("mine.toml".to_string(), Some(5)),
        ]
    );
    assert!(faults[1].message.contains("the theme is left out"));
}

#[test]
fn every_role_is_once_in_the_list_and_stands_at_its_place() {
    for (at, role) in Role::ALL.into_iter().enumerate() {
        assert_eq!(role as usize, at);
    }
}
