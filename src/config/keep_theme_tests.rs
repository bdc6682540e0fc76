use super::*;

#[test]
fn only_the_value_of_the_key_is_touched() {
    for (before, after) in [
        ("", "theme = \"dark\"\n"),
        (
            "# mine\n[health]\nghost = \"off\"\n",
            "theme = \"dark\"\n# mine\n[health]\nghost = \"off\"\n",
        ),
        (
            "mouse = false # never\n\n[keep]\ntrash_days = 3\n",
            "mouse = false # never\ntheme = \"dark\"\n\n[keep]\ntrash_days = 3\n",
        ),
        ("mouse = false", "mouse = false\ntheme = \"dark\"\n"),
        (
            "  theme   =  'light'   # bright\r\nmouse=true\r\n",
            "  theme   =  \"dark\"   # bright\r\nmouse=true\r\n",
        ),
        ("mouse = true\r\n", "mouse = true\r\ntheme = \"dark\"\r\n"),
        (
            "health.ghost = \"off\"\n",
            "theme = \"dark\"\nhealth.ghost = \"off\"\n",
        ),
        ("theme = 3\n", "theme = \"dark\"\n"),
    ] {
        assert_eq!(with_theme(before, "dark").as_deref(), Some(after));
    }
    for refused in ["[theme]\nx = 1\n", "= 1\n"] {
        assert_eq!(with_theme(refused, "dark"), None, "{refused}");
    }
    let odd = with_theme("", "my \"theme\"").unwrap();
    let read: Document<String> = Document::parse(odd).unwrap();
    assert_eq!(
        read.get("theme").and_then(Item::as_str),
        Some("my \"theme\"")
    );
}

#[test]
fn the_file_and_its_folder_come_to_be_and_a_link_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("new/loci");
    let faults = Faults::default();
    let path = keep_theme(&faults, &config, "dark").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "theme = \"dark\"\n");
    let real = folder.path().join("dotfiles.toml");
    fs::rename(&path, &real).unwrap();
    std::os::unix::fs::symlink(&real, &path).unwrap();
    keep_theme(&faults, &config, "light").unwrap();
    assert!(path.is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "theme = \"light\"\n");
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 2, "nothing is left beside it");
}

#[test]
fn what_is_no_toml_is_not_written_and_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(FILE), "mouse = \n").unwrap();
    let said = keep_theme(&Faults::default(), folder.path(), "dark").unwrap_err();
    assert!(said.contains("config.toml:1: this is no TOML"), "{said}");
    assert_eq!(
        fs::read_to_string(folder.path().join(FILE)).unwrap(),
        "mouse = \n"
    );
}
