use super::*;

const CHANGE: Change<'static> = Change {
    old: "/srv/old",
    new: "/srv/né \"w\"",
};

fn changed(text: &str, ranges: impl Fn(&[u8]) -> Vec<Range<usize>>) -> (String, usize) {
    let bytes = text.as_bytes();
    let (after, places) = rewritten(bytes, &ranges(bytes), CHANGE);
    (String::from_utf8(after).expect("text"), places)
}

#[test]
fn only_the_field_of_a_line_s_own_object_is_rewritten() {
    let text = "{\"cwd\":\"/srv/old\",\"m\":\"/srv/old\"}\nno json /srv/old\n\
        {\"r\":{\"cwd\":\"/srv/old\"},\"cwd\" : \"/srv/old/sub\"}\r\n\
        {\"cwd\":\"/srv/old-2\"}\n{\"cwd\":\"/srv/older\"}\n{\"cwd\":\"/srv\"}\n{\"cwd\":\"/srv/old";
    let (after, places) = changed(text, |bytes| of_lines(bytes, b"\"cwd\""));
    assert_eq!(places, 2);
    let expected = text
        .replacen("{\"cwd\":\"/srv/old\"", "{\"cwd\":\"/srv/né \\\"w\\\"\"", 1)
        .replace("\"/srv/old/sub\"", "\"/srv/né \\\"w\\\"/sub\"");
    assert_eq!(after, expected);
}

#[test]
fn only_keys_of_the_projects_are_rewritten() {
    let text = "{\n  \"x\": {\"/srv/old\": 1},\n  \"projects\": {\n    \"/srv/old\": {\"/srv/old\": \"/srv/old\"},\n    \
        \"/srv/old-2\": {},\n    \"/srv/old/sub\" : []\n  },\n  \"y\": {\"/srv/old\": 2}\n}\n";
    let (after, places) = changed(text, of_projects);
    assert_eq!(places, 2);
    let new = "/srv/né \\\"w\\\"";
    let expected = text
        .replace("    \"/srv/old\": {\"", &format!("    \"{new}\": {{\""))
        .replace("\"/srv/old/sub\"", &format!("\"{new}/sub\""));
    assert_eq!(after, expected);
    assert_eq!(changed("{\"projects\": {\"/srv/old", of_projects).1, 0);
    assert_eq!(changed("no json", of_projects).1, 0);
}

#[test]
fn below_the_root_of_all_folders_a_path_begins_with_one_slash() {
    let change = Change {
        old: "/srv/old",
        new: "/",
    };
    for (path, new) in [
        ("/srv/old", Some("/")),
        ("/srv/old/", Some("/")),
        ("/srv/old/child", Some("/child")),
        ("/srv/older", None),
    ] {
        assert_eq!(moved(path, change).as_deref(), new, "{path}");
    }
    assert_eq!(
        moved("/srv/old/", CHANGE).as_deref(),
        Some("/srv/né \"w\"/")
    );
}

/// What can't be read or understood is told; what is not there holds nothing.
#[test]
fn what_can_t_be_looked_through_is_told() {
    let root = tempfile::tempdir().expect("a temporary folder");
    let (history, config) = (root.path().join("history"), root.path().join("config"));
    let said = || {
        let (held, faults) = without(&Disk::system(), &history, &config, |_| true);
        assert_eq!(held, []);
        let said = faults.into_iter().map(|one| (one.kind, one.said));
        said.collect::<Vec<_>>()
    };
    assert_eq!(said(), []);
    std::fs::write(&config, " \n").expect("a file");
    assert_eq!(said(), []);
    std::os::unix::fs::symlink("nowhere", &history).expect("a link");
    std::fs::write(&config, "{\"projects\":{\"/a\":{},").expect("a file");
    let [(Kind::History, first), (Kind::ClaudeJson, second)] = &said()[..] else {
        panic!("{:?}", said());
    };
    let ends = "history is a link to nowhere, which is not there: it is not rewritten";
    assert!(first.ends_with(ends), "{first}");
    assert!(second.contains("config is no JSON ("), "{second}");
    std::fs::remove_file(&history).expect("removed");
    std::fs::create_dir(&history).expect("a folder");
    assert!(said()[0].1.contains("can't be read"), "{:?}", said());
}
