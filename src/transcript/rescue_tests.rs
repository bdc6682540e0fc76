use std::fs;

use super::*;
use crate::base::fault::Faults;

const ID: &str = "11111111-1111-4111-8111-111111111111";

const ONE: &str = "{\"type\":\"user\"}\n";
const TWO: &str = "{\"type\":\"user\"}\n{\"type\":\"assistant\"}\n";

fn now() -> Moment {
    Moment::from(std::time::SystemTime::now())
}

struct Place {
    root: tempfile::TempDir,
    store: Store,
}

impl Place {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let state = root.path().join("state");
        let place = Self {
            store: Store::new(&state, Path::new("/c"), None, Faults::default()),
            root,
        };
        let agents = place.projects().join("-srv").join(ID).join("subagents");
        fs::create_dir_all(&agents).unwrap();
        fs::write(place.transcript(), ONE).unwrap();
        fs::write(agents.join("agent-a.jsonl"), TWO).unwrap();
        place
    }

    fn projects(&self) -> PathBuf {
        self.root.path().join("projects")
    }

    fn transcript(&self) -> PathBuf {
        self.projects().join("-srv").join(format!("{ID}.jsonl"))
    }

    fn kept(&self) -> PathBuf {
        self.store
            .rescued_folder()
            .join("-srv")
            .join(format!("{ID}.jsonl"))
    }

    fn session(&self, path: &Path, title: &str) -> Result<Session, RescueError> {
        self.around(|around| Session::of(around, path, title))
    }

    fn around<T>(&self, with: impl FnOnce(&Around<'_>) -> T) -> T {
        let around = Around {
            store: &self.store,
            disk: &Disk::system(),
            projects: &self.projects(),
        };
        with(&around)
    }

    fn rescue(&self) -> Result<ChangeSet, RescueError> {
        Ok(self.rescue_over(false)?.set)
    }

    fn rescue_over(&self, over: bool) -> Result<Rescue, RescueError> {
        let session = self.session(&self.transcript(), "Look at it")?;
        self.around(|around| rescue(around, &session, over, now()))
    }
}

#[test]
fn a_session_is_rescued_with_its_sub_agents_and_brought_back_young() {
    let place = Place::new();
    let set = place.rescue().unwrap();
    assert_eq!(set.title, "rescue session \"Look at it\"");
    place.store.apply(&set, now()).unwrap();
    let agent = place
        .kept()
        .with_extension("")
        .join("subagents/agent-a.jsonl");
    assert_eq!(fs::read_to_string(&agent).unwrap(), TWO);
    assert!(place.transcript().is_file());
    assert!(matches!(place.rescue(), Err(RescueError::Already { .. })));
    // The client sweeps both.
    fs::remove_dir_all(place.projects()).unwrap();
    let session = place.session(&place.kept(), "").unwrap();
    let back = || place.around(|around| bring_back(around, &session, now()));
    let set = back().unwrap();
    place.store.apply(&set, now()).unwrap();
    assert_eq!(fs::read_to_string(place.transcript()).unwrap(), ONE);
    assert!(
        place
            .transcript()
            .with_extension("")
            .join("subagents/agent-a.jsonl")
            .is_file()
    );
    assert!(place.kept().is_file());
    assert!(matches!(back(), Err(RescueError::There { .. })));
    place.store.undo(None, now()).unwrap();
    assert!(!place.transcript().exists());
    assert!(place.kept().is_file());
}

#[test]
fn a_session_that_went_on_is_rescued_anew_and_the_old_copy_goes_to_the_trash() {
    let place = Place::new();
    place.store.apply(&place.rescue().unwrap(), now()).unwrap();
    fs::write(place.transcript(), TWO).unwrap();
    place.store.apply(&place.rescue().unwrap(), now()).unwrap();
    assert_eq!(fs::read_to_string(place.kept()).unwrap(), TWO);
    assert_eq!(place.store.trashed().len(), 1);
    place.store.undo(None, now()).unwrap();
    assert_eq!(fs::read_to_string(place.kept()).unwrap(), ONE);
}

#[test]
fn what_belongs_to_a_session_is_not_rescued_alone() {
    let place = Place::new();
    let path = place.projects().join("-srv").join(ID);
    let path = path.join("subagents/agent-a.jsonl");
    assert!(matches!(
        place.session(&path, ""),
        Err(RescueError::Agent { .. })
    ));
    place.store.apply(&place.rescue().unwrap(), now()).unwrap();
    let session = place.session(&place.kept(), "").unwrap();
    let again = place.around(|around| rescue(around, &session, false, now()));
    assert!(matches!(again, Err(RescueError::Rescued { .. })));
}

#[test]
fn only_what_the_client_lists_as_a_session_is_one() {
    let place = Place::new();
    let projects = place.projects();
    let name = format!("{ID}.jsonl");
    fs::create_dir_all(place.root.path().join("other/-srv")).unwrap();
    fs::create_dir_all(projects.join("-srv/deep")).unwrap();
    std::os::unix::fs::symlink(projects.join("-srv"), projects.join("-link")).unwrap();
    for path in [
        place.root.path().join("other/-srv").join(&name),
        projects.join(&name),
        projects.join("-srv/deep").join(&name),
        projects.join("-srv/notes.md"),
    ] {
        fs::write(&path, ONE).unwrap();
        let error = place.session(&path, "").unwrap_err();
        assert!(matches!(error, RescueError::Elsewhere { .. }), "{error}");
    }
    let link = projects.join("-srv/22222222-1111-4111-8111-111111111111.jsonl");
    std::os::unix::fs::symlink(place.transcript(), &link).unwrap();
    assert!(place.session(&link, "").is_err());
    // By another way to the same folder it is the same session.
    let way = projects.join("-srv/../-srv/.").join(&name);
    assert_eq!(place.session(&way, "").unwrap().key, "-srv");
    let way = projects.join("-link").join(&name);
    assert_eq!(place.session(&way, "").unwrap().key, "-srv");
    fs::write(place.transcript(), "# a text\n{}\n[1]\n").unwrap();
    let error = place.rescue().unwrap_err();
    assert!(matches!(error, RescueError::NoTranscript { .. }), "{error}");
}

#[test]
fn a_copy_that_holds_more_stays_unless_it_is_said() {
    let place = Place::new();
    let agent = place.transcript().with_extension("");
    let agent = agent.join("subagents/agent-a.jsonl");
    fs::write(place.transcript(), TWO).unwrap();
    place.store.apply(&place.rescue().unwrap(), now()).unwrap();
    let kept_agent = place.kept().with_extension("");
    let kept_agent = kept_agent.join("subagents/agent-a.jsonl");
    let refused = |copy: &Path| match place.rescue() {
        Err(RescueError::HoldsMore { copy: said, .. }) => assert_eq!(said, copy),
        other => panic!("{other:?}"),
    };
    fs::write(place.transcript(), ONE).unwrap();
    refused(&place.kept());
    fs::write(place.transcript(), TWO.replace("assistant", "assistand")).unwrap();
    refused(&place.kept());
    // Of a sub-agent too; one that is not there any more counts.
    fs::write(place.transcript(), format!("{TWO}{ONE}")).unwrap();
    fs::write(&agent, ONE).unwrap();
    refused(&kept_agent);
    fs::remove_file(&agent).unwrap();
    refused(&kept_agent);
    let rescue = place.rescue_over(true).unwrap();
    assert_eq!(rescue.notices(), ["the older copy lies in the trash"]);
    place.store.apply(&rescue.set, now()).unwrap();
    assert_eq!(
        fs::read_to_string(place.kept()).unwrap(),
        format!("{TWO}{ONE}")
    );
    assert_eq!(place.store.trashed().len(), 1);
    // The session is the same, and a sub-agent has gone on: that is news.
    fs::create_dir_all(agent.parent().unwrap()).unwrap();
    fs::write(&agent, ONE).unwrap();
    place.store.apply(&place.rescue().unwrap(), now()).unwrap();
    assert_eq!(fs::read_to_string(&kept_agent).unwrap(), ONE);
}

#[test]
fn what_is_not_copied_is_named() {
    let place = Place::new();
    let folder = place.transcript().with_extension("");
    let link = folder.join("subagents/agent-b.jsonl");
    std::os::unix::fs::symlink("agent-a.jsonl", &link).unwrap();
    let pipe = folder.join("subagents/agent-c.jsonl");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
    let rescue = place.rescue_over(false).unwrap();
    assert_eq!(rescue.left_out, [link, pipe]);
    assert_eq!(rescue.notices().len(), 2);
}
