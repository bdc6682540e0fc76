use std::fs;

use super::*;
use crate::base::fault::Faults;

const ID: &str = "11111111-1111-4111-8111-111111111111";

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
        fs::write(place.transcript(), "{}\n").unwrap();
        fs::write(agents.join("agent-a.jsonl"), "{}\n{}\n").unwrap();
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

    fn rescue(&self) -> Result<ChangeSet, RescueError> {
        let session = Session::of(&self.transcript(), "Look at it")?;
        rescue(&self.store, &Disk::system(), &session, now())
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
    assert_eq!(fs::read_to_string(&agent).unwrap(), "{}\n{}\n");
    assert!(place.transcript().is_file());
    assert!(matches!(place.rescue(), Err(RescueError::Already { .. })));
    // The client sweeps both.
    fs::remove_dir_all(place.projects()).unwrap();
    let session = Session::of(&place.kept(), "").unwrap();
    let back = || bring_back(&place.store, &session, &place.projects(), now());
    let set = back().unwrap();
    place.store.apply(&set, now()).unwrap();
    assert_eq!(fs::read_to_string(place.transcript()).unwrap(), "{}\n");
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
    fs::write(place.transcript(), "{}\n{}\n").unwrap();
    place.store.apply(&place.rescue().unwrap(), now()).unwrap();
    assert_eq!(fs::read_to_string(place.kept()).unwrap(), "{}\n{}\n");
    assert_eq!(place.store.trashed().len(), 1);
    place.store.undo(None, now()).unwrap();
    assert_eq!(fs::read_to_string(place.kept()).unwrap(), "{}\n");
}

#[test]
fn what_belongs_to_a_session_is_not_rescued_alone() {
    let path = Path::new("/p/-srv")
        .join(ID)
        .join("subagents/agent-a.jsonl");
    assert!(matches!(
        Session::of(&path, ""),
        Err(RescueError::Agent { .. })
    ));
    let place = Place::new();
    place.store.apply(&place.rescue().unwrap(), now()).unwrap();
    let session = Session::of(&place.kept(), "").unwrap();
    let again = rescue(&place.store, &Disk::system(), &session, now());
    assert!(matches!(again, Err(RescueError::Rescued { .. })));
}
