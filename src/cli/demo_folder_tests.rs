use super::*;

fn old_folder(among: &Path, name: &str) -> PathBuf {
    let folder = among.join(name);
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join(LOCK), "").unwrap();
    fs::create_dir(folder.join("home")).unwrap();
    let old = SystemTime::now() - Duration::from_mins(10);
    File::open(&folder).unwrap().set_modified(old).unwrap();
    folder
}

#[test]
fn a_killed_demo_is_swept_and_a_living_or_foreign_folder_is_not() {
    let among = tempfile::tempdir().unwrap();
    let killed = old_folder(among.path(), "loci-demo-killed");
    let living = old_folder(among.path(), "loci-demo-living");
    let lock = File::open(living.join(LOCK)).unwrap();
    lock.lock().unwrap();
    let foreign = old_folder(among.path(), "other-demo-x");
    let young = among.path().join("loci-demo-young");
    fs::create_dir(&young).unwrap();
    fs::write(young.join(LOCK), "").unwrap();
    let no_lock = among.path().join("loci-demo-notes");
    fs::create_dir(&no_lock).unwrap();
    sweep(among.path());
    assert!(!killed.exists());
    assert!(living.exists() && foreign.exists() && young.exists() && no_lock.exists());
}
