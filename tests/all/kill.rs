//! Deaths: at every write point of every command that writes, and at random moments of a loop of
//! them. Whatever the moment, the next command that writes leaves all of a change or nothing of it.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::cli_home::{LOCI, NOW, ran};
use crate::cli_write_home::{Apart, Desk, small, text_of};
use crate::death::{self, die_everywhere, recover};

/// One command, and the ones that made what it works on.
struct Scene {
    before: &'static [&'static [&'static str]],
    command: &'static [&'static str],
}

const SCENES: [Scene; 9] = [
    Scene {
        before: &[],
        command: &[
            "new",
            "delta",
            "--type",
            "user",
            "--description",
            "fourth",
            "--body",
            "Four.",
        ],
    },
    Scene {
        before: &[],
        command: &["edit", "alpha", "--set", "type=feedback", "--body", "Uno."],
    },
    Scene {
        before: &[],
        command: &["mv", "alpha", "omega"],
    },
    Scene {
        before: &[],
        command: &["rm", "gamma"],
    },
    Scene {
        before: &[&["rm", "gamma"]],
        command: &["restore", "20260921-141320-1"],
    },
    Scene {
        before: &[&["mv", "alpha", "omega"]],
        command: &["undo"],
    },
    Scene {
        before: &[&["new", "delta", "--type", "user", "--description", "fourth"]],
        command: &["undo"],
    },
    Scene {
        before: &[&["mv", "alpha", "omega"], &["undo"]],
        command: &["redo"],
    },
    // A memory that is gone, one that differs, and their lines.
    Scene {
        before: &[
            &["export", "../x.tgz"],
            &["rm", "gamma"],
            &["edit", "alpha", "--body", "Uno."],
        ],
        command: &["import", "../x.tgz", "--on-conflict", "beside"],
    },
];

/// What of ours lies on another file system, if anything.
type Place = Option<Apart>;

impl Scene {
    /// The desk on which the command dies, if this machine has the place.
    fn set(&self, place: Place) -> Option<death::Scene> {
        let desk = match place {
            None => small(),
            Some(apart) => small().apart(apart)?,
        };
        for command in self.before {
            desk.done(command);
        }
        Some(death::Scene::new(desk, self.command))
    }
}

#[test]
fn a_death_at_any_write_point_leaves_all_of_a_change_or_nothing() {
    let scenes = SCENES.each_ref().map(|scene| {
        let name = format!("{:?}", scene.command);
        (name, || scene.set(None).expect("this place"))
    });
    let scenes = scenes.each_ref().map(|(name, set)| (&**name, set as _));
    die_everywhere(&scenes, 8);
}

/// What goes to the trash or comes back by a copy, on real file systems.
#[test]
fn a_death_at_any_write_point_of_a_copy_leaves_all_of_a_change_or_nothing() {
    let [remove, restore] = [&SCENES[3], &SCENES[4]];
    let undo = Scene {
        before: &[&["rm", "gamma"]],
        command: &["undo"],
    };
    if remove.set(Some(Apart::Trash)).is_none() {
        println!("skipped: there is no second file system here");
        return;
    }
    let set = |scene: &Scene, apart| scene.set(Some(apart)).expect("it was there just now");
    die_everywhere(
        &[
            ("rm, trash apart", &|| set(remove, Apart::Trash)),
            ("rm, state apart", &|| set(remove, Apart::State)),
            ("restore, trash apart", &|| set(restore, Apart::Trash)),
            ("undo, trash apart", &|| set(&undo, Apart::Trash)),
        ],
        18,
    );
}

/// A recovery that dies is as good as the death before it.
#[test]
fn a_recovery_may_die_too() {
    // Between two of their steps: some are done, some are not.
    for (scene, point) in [(&SCENES[2], 38), (&SCENES[3], 21)] {
        let points = scene.set(None).expect("this place").dies_again_at(point);
        assert!(points > 8, "{:?}: {points}", scene.command);
    }
}

/// Commands that go round: alpha's text has two versions and two names, beta is removed and comes
/// back, delta is made, removed, and that undone and redone.
const LOOP: &str = r#"
loci() { "$LOCI" --now "$NOW" "$@" >/dev/null 2>&1 </dev/null; }
while :; do
  loci edit alpha --body "Two." --set type=feedback
  loci rm beta
  loci mv alpha omega
  loci restore "$("$LOCI" trash --json | sed -n 's/^{"trash":\[{"key":"\([^"]*\)".*/\1/p')"
  loci undo
  loci redo
  loci new delta --type user --description fourth --body Four.
  loci edit omega --body "One." --set type=user
  loci mv omega alpha
  loci rm delta
  loci undo
  loci undo
  loci redo
  loci redo
done
"#;

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % bound
    }
}

fn kill_at_random(kills: usize, seed: u64) {
    let mut dice = Dice(seed);
    let mut desk = small();
    for kill in 0..kills {
        // A long history makes every command slower; a fresh desk does not change what is tested.
        if kill % 20 == 0 {
            desk = small();
        }
        let when = format!("kill {kill} of seed {seed}");
        let mut child = desk.command(&[]);
        let mut shell = std::process::Command::new("sh");
        shell
            .arg("-c")
            .arg(LOOP)
            .env_clear()
            .envs(
                child
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .env("PATH", "/usr/bin:/bin")
            .env("LOCI", LOCI)
            .env("NOW", NOW.to_string())
            .current_dir(child.get_current_dir().unwrap())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        child.stdin(Stdio::null());
        let mut running = shell.spawn().unwrap();
        thread::sleep(Duration::from_micros(2_000 + dice.below(220_000)));
        let group = Pid::from_child(&running);
        kill_process_group(group, Signal::KILL).unwrap();
        running.wait().unwrap();
        wait_for_the_dead(&desk);
        recover(&desk);
        desk.assert_sound(&when);
        assert_nothing_lost(&desk, &when);
    }
}

/// A killed process still ends the call that it is in. Its lock goes when it has gone.
fn wait_for_the_dead(desk: &Desk) {
    if let Ok(lock) = fs::File::open(desk.state().join("lock")) {
        lock.lock().unwrap();
    }
}

/// Every memory that the desk began with is there, whole, in one of the versions that the loop knows.
#[track_caller]
fn assert_nothing_lost(desk: &Desk, when: &str) {
    let texts = desk.texts();
    let trashed = desk.trashed();
    let all = |name: &str| -> Vec<String> {
        let path = desk.memory().join(name).display().to_string();
        let live = texts.get(name).map(|(text, _)| text.clone());
        let gone = trashed.get(&path);
        live.into_iter()
            .chain(gone.map(|bytes| String::from_utf8_lossy(bytes).into_owned()))
            .collect()
    };
    let alpha: Vec<String> = ["alpha.md", "omega.md"]
        .iter()
        .flat_map(|name| all(name))
        .collect();
    assert!(!alpha.is_empty(), "{when}: alpha is lost: {texts:#?}");
    for text in &alpha {
        let known = ["alpha", "omega"].iter().any(|name| {
            [("user", "One."), ("feedback", "Two.")].iter().any(|(kind, body)| {
                *text == format!("---\nname: {name}\ndescription: About alpha\ntype: {kind}\n---\n{body}\n")
            })
        });
        assert!(known, "{when}: no version of alpha: {text:?}");
    }
    let beta = all("beta.md");
    assert!(!beta.is_empty(), "{when}: beta is lost: {texts:#?}");
    for text in &beta {
        let known = ["alpha", "omega"].iter().any(|name| {
            *text == text_of("beta", "project", &format!("As [[{name}]] says.\nMore."))
        });
        assert!(known, "{when}: no version of beta: {text:?}");
    }
    assert_eq!(
        all("gamma.md"),
        [text_of("gamma", "reference", "Three.")],
        "{when}"
    );
    for text in all("delta.md") {
        assert!(
            text.ends_with("---\n\nFour.\n"),
            "{when}: half of delta: {text:?}"
        );
    }
}

#[test]
fn killed_at_random_moments_nothing_is_lost() {
    kill_at_random(40, 7);
}

/// The long form of the test above: some minutes.
#[test]
#[ignore = "takes a minute or two: run it by hand"]
fn killed_at_three_hundred_random_moments_nothing_is_lost() {
    kill_at_random(300, 2026);
}

/// The loop does what it says when nobody kills it, else the test above would test little.
#[test]
fn the_loop_goes_round() {
    let desk = small();
    let mut shell = std::process::Command::new("sh");
    let command = desk.command(&[]);
    let traced = LOOP
        .replace(
            ">/dev/null 2>&1 </dev/null; }",
            "</dev/null || echo \"failed: $*\" >&2; }",
        )
        .replace("while :; do", "for round in 1 2; do");
    shell
        .arg("-c")
        .arg(traced)
        .env_clear()
        .envs(
            command
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .env("PATH", "/usr/bin:/bin")
        .env("LOCI", LOCI)
        .env("NOW", NOW.to_string())
        .current_dir(command.get_current_dir().unwrap());
    let ran = ran(&mut shell);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let failed = ran
        .err
        .lines()
        .filter(|line| line.starts_with("failed"))
        .count();
    assert_eq!(failed, 0, "{}", ran.err);
    assert_nothing_lost(&desk, "at the end");
}
