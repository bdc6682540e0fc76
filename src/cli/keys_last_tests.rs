use super::*;
use crate::cli::args::command_with_hidden;

#[track_caller]
fn assert_read(line: &str, expected: &str) {
    let words = line.split(' ').map(OsString::from).collect();
    let read = keys_last(&command_with_hidden(), words);
    let read: Vec<&str> = read.iter().filter_map(|word| word.to_str()).collect();
    assert_eq!(read.join(" "), expected);
}

#[test]
fn keys_stand_behind_the_flags() {
    assert_read("loci prune -srv-x --yes", "loci prune --yes -- -srv-x");
    assert_read("loci prune -h -v- -x C--x", "loci prune -h -- -v- -x C--x");
    assert_read(
        "loci --json --cwd /tmp prune -a-b --with-memories -a-b -home-x --of -odd --yes",
        "loci --json --cwd /tmp prune --with-memories -a-b --of -odd --yes -- -a-b -home-x",
    );
    assert_read(
        "loci prune --yes -- --claude -x-",
        "loci prune --yes -- --claude -x-",
    );
    assert_read(
        "loci prune --with-memories=-a -a-b",
        "loci prune --with-memories=-a -- -a-b",
    );
}

#[test]
fn other_subcommands_are_left_alone() {
    for line in [
        "loci search -n5 prune -x-y",
        "loci --cwd prune ls -x-y",
        "loci show -- -x-y",
        "loci -x-y",
        "loci",
    ] {
        assert_read(line, line);
    }
}
