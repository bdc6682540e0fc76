use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::*;
use crate::base::disk::Disk;
use crate::config::client::Client;
use crate::instructions::{Manner, Place, survey};

/// A disk with a project in `/srv/p`.
struct World {
    dir: tempfile::TempDir,
}

impl World {
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let world = Self { dir };
        fs::create_dir_all(world.host("/srv/p")).unwrap();
        for (path, text) in files {
            let path = world.host(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        world
    }

    fn host(&self, path: &str) -> PathBuf {
        self.dir.path().join(path.trim_start_matches('/'))
    }

    fn findings(&self) -> Vec<Finding> {
        let disk = Disk::below(self.dir.path()).unwrap();
        let (home, cwd) = (Path::new("/home/u"), Path::new("/srv/p"));
        let config_home = home.join(".claude");
        let client = Client::read(&disk, BTreeMap::new(), home, &config_home, cwd);
        let claude_json = home.join(".claude.json");
        let place = Place::new(&disk, &client, &claude_json, &config_home, cwd);
        let survey = survey(&disk, &place, &Manner::default());
        standing(&survey, "-srv-p", cwd, &Rules::default())
    }

    /// `code severity path:line`, without the project's folder.
    fn found(&self) -> Vec<String> {
        let findings = self.findings().into_iter();
        findings
            .map(|one| {
                let path = one.path.strip_prefix("/srv/p/").unwrap_or(&one.path);
                let line = one.line.map_or(String::new(), |line| format!(":{line}"));
                let (code, severity) = (one.code.word(), one.severity.word());
                format!("{code} {severity} {path}{line}")
            })
            .collect()
    }

    fn message(&self, code: Code) -> String {
        let found = self.findings();
        let one = found.iter().find(|one| one.code == code);
        one.unwrap_or_else(|| panic!("{found:#?}")).message.clone()
    }
}

#[test]
fn a_good_set_of_rules_has_no_findings() {
    let world = World::new(&[
        ("/home/u/.claude/CLAUDE.md", "Answer briefly.\n"),
        (
            "/srv/p/CLAUDE.md",
            "Small commits. @docs/style.md\nThanks @anna.\n",
        ),
        ("/srv/p/docs/style.md", "Plain words; you must not shout.\n"),
        (
            "/srv/p/.claude/rules/ts.md",
            "---\npaths: \"**/*.ts\"\n---\nNo default exports.\n",
        ),
        ("/srv/p/web/CLAUDE.md", "The web part.\n"),
    ]);
    assert_eq!(world.found(), [""; 0]);
    assert_eq!(World::new(&[]).found(), [""; 0]);
}

#[test]
fn large_and_long_files_are_told_from_their_limits_on() {
    let long = |lines| "x\n".repeat(lines);
    let wide = |characters| "é".repeat(characters);
    let at = |text: &str| World::new(&[("/srv/p/CLAUDE.md", text)]).found();
    assert_eq!(at(&long(200)), [""; 0]);
    assert_eq!(at(&long(201)), ["rule-long note CLAUDE.md"]);
    assert_eq!(at(&wide(40_000)), [""; 0]);
    assert_eq!(at(&wide(40_001)), ["rule-large note CLAUDE.md"]);
}

#[test]
fn a_strict_word_is_lost_with_a_file_that_a_compaction_loses() {
    let world = World::new(&[
        ("/srv/p/CLAUDE.md", "You must write tests.\n"),
        (
            "/srv/p/.claude/rules/sql.md",
            "---\npaths: \"*.sql\"\n---\n\nText.\nNever drop a table.\nYou must ask.\n",
        ),
        ("/srv/p/web/CLAUDE.md", "<!-- a\nb -->\n禁止直接写库\n"),
        ("/srv/p/web/.hidden/CLAUDE.md", "never seen\n"),
    ]);
    assert_eq!(
        world.found(),
        [
            "rule-lost warning .claude/rules/sql.md:6",
            "rule-lost warning web/CLAUDE.md:3"
        ]
    );
    assert_eq!(
        world.message(Code::RuleLost),
        "`Never` (and 1 more line like it) stands in a file that a compaction loses, and that comes back only when a file that its `paths:` match is read again: what must always hold belongs into the project's CLAUDE.md"
    );
}

#[test]
fn a_loud_wish_a_foreign_rule_and_a_file_that_nothing_loads() {
    let world = World::new(&[
        ("/srv/p/CLAUDE.md", "one\nNEVER push to main\n"),
        ("/srv/CLAUDE.md", "of all projects\n"),
        ("/srv/p/AGENTS.md", "agents\n"),
    ]);
    assert_eq!(
        world.found(),
        [
            "rule-unenforced note CLAUDE.md:2",
            "rule-foreign note /srv/CLAUDE.md",
            "rule-unloaded note AGENTS.md"
        ]
    );
    assert_eq!(
        world.message(Code::RuleUnloaded),
        "it is not read because /srv/CLAUDE.md and /srv/p/CLAUDE.md are there, each of which is enough: import it in a CLAUDE.md with `@AGENTS.md`"
    );
}

#[test]
fn imports_that_lead_nowhere_back_too_deep_out_or_twice() {
    let world = World::new(&[
        (
            "/srv/p/CLAUDE.md",
            "@gone.md\n@docs\n(@a.md)\n@a.md\n@../out.md\n@b.md\n@pkg/thing\n",
        ),
        ("/srv/p/docs/x.md", "x\n"),
        ("/srv/p/a.md", "@CLAUDE.md @1.md\n"),
        ("/srv/p/b.md", "@a.md\n"),
        ("/srv/p/1.md", "@2.md\n"),
        ("/srv/p/2.md", "@3.md\n"),
        ("/srv/p/3.md", "@4.md\n"),
        ("/srv/p/4.md", "end\n"),
        ("/srv/out.md", "out\n"),
    ]);
    assert_eq!(
        world.found(),
        [
            "import-missing warning CLAUDE.md:1",
            "import-missing warning CLAUDE.md:2",
            "import-cycle warning a.md:1",
            "import-deep warning 3.md:1",
            "import-missing note CLAUDE.md:3",
            "import-outside note CLAUDE.md:5",
            "import-twice note b.md:1",
        ]
    );
    assert_eq!(
        world.message(Code::ImportMissing),
        "`@gone.md` is not there"
    );
    assert_eq!(
        world.message(Code::ImportOutside),
        "`@../out.md` lies outside the working directory: it is loaded once you have approved that in the client"
    );
}

#[test]
fn patterns_that_are_not_read_as_they_are_meant() {
    let bomb = format!("---\npaths: \"{}\"\n---\nR\n", "{a,b}".repeat(12));
    let world = World::new(&[
        (
            "/srv/p/.claude/rules/a.md",
            "---\npaths:\n- **/*.cs\n---\nA\n",
        ),
        (
            "/srv/p/.claude/rules/b.md",
            "---\nglobs: \"*.cs\"\n---\nB\n",
        ),
        (
            "/srv/p/.claude/rules/c.md",
            "---\npaths: \"src/[z-a]*\"\n---\nC\n",
        ),
        ("/srv/p/.claude/rules/d.md", "---\npaths: [*.cs]\n---\nD\n"),
        ("/srv/p/.claude/rules/e.md", &bomb),
        (
            "/srv/p/.claude/rules/f.md",
            "---\npaths: [unclosed\n---\nF\n",
        ),
    ]);
    assert_eq!(
        world.found(),
        [
            "glob-invalid warning .claude/rules/a.md:2",
            "glob-invalid warning .claude/rules/c.md",
            "glob-invalid warning .claude/rules/d.md:2",
            "glob-invalid warning .claude/rules/f.md:2",
            "glob-invalid note .claude/rules/b.md:2",
            "paths-limits note .claude/rules/e.md",
        ]
    );
    assert_eq!(
        world.message(Code::GlobInvalid),
        "this list can't be read, so the rule always loads: quote the patterns"
    );
}

#[test]
fn nothing_is_looked_for_below_the_home_folder() {
    let world = World::new(&[("/srv/p/other/CLAUDE.md", "never\n")]);
    let disk = Disk::below(world.dir.path()).unwrap();
    let client = Client::read(
        &disk,
        BTreeMap::new(),
        Path::new("/srv/p/me"),
        Path::new("/srv/p/me/.claude"),
        Path::new("/srv/p"),
    );
    let place = Place::new(
        &disk,
        &client,
        Path::new("/srv/p/me/.claude.json"),
        Path::new("/srv/p/me/.claude"),
        Path::new("/srv/p"),
    );
    let survey = survey(&disk, &place, &Manner::default());
    assert!(survey.below.entries.is_empty());
}

#[test]
fn a_secret_in_a_rules_file_has_the_line_of_the_file() {
    let (_, text, value) = crate::safety::secret::tests::planted().remove(0);
    let rules = format!("<!--\na comment\n-->\n# Rules\n{text}\n");
    let world = World::new(&[("/srv/p/CLAUDE.md", &rules)]);
    assert_eq!(world.found(), ["secret error CLAUDE.md:5"]);
    assert!(!world.message(Code::Secret).contains(&value[..5]));
}
