use std::fs;

use super::*;

/// A made-up file system below a temporary folder: `(path, text)`; a text of `/` makes a folder.
fn disk(files: &[(&str, &str)]) -> (tempfile::TempDir, Disk) {
    let root = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        let host = root.path().join(path.trim_start_matches('/'));
        if *text == "/" {
            fs::create_dir_all(host).expect("a folder");
            continue;
        }
        fs::create_dir_all(host.parent().expect("a parent")).expect("a folder");
        fs::write(host, text).expect("a file");
    }
    let disk = Disk::below(root.path()).expect("a sysroot");
    (root, disk)
}

fn root_of(files: &[(&str, &str)], cwd: &str) -> String {
    let (_keep, disk) = disk(files);
    memory_root(&disk, Path::new(cwd)).display().to_string()
}

const WORKTREE: &[(&str, &str)] = &[
    ("/srv/repo/.git/HEAD", "ref: refs/heads/main\n"),
    ("/srv/repo/.git/worktrees/wt/gitdir", "/srv/wt/.git\n"),
    ("/srv/repo/.git/worktrees/wt/commondir", "../..\n"),
    ("/srv/wt/.git", "gitdir: /srv/repo/.git/worktrees/wt\n"),
    ("/srv/wt/in", "/"),
    ("/srv/repo/sub/deep", "/"),
];

#[test]
fn a_sub_folder_and_a_worktree_lead_to_the_main_folder() {
    assert_eq!(root_of(WORKTREE, "/srv/repo/sub/deep"), "/srv/repo");
    assert_eq!(root_of(WORKTREE, "/srv/wt"), "/srv/repo");
    assert_eq!(root_of(WORKTREE, "/srv/wt/in"), "/srv/repo");
}

#[test]
fn relative_pointers_are_followed() {
    let files = [
        (
            "/srv/repo/.git/worktrees/wt/gitdir",
            "../../../../wt/.git\n",
        ),
        ("/srv/repo/.git/worktrees/wt/commondir", "../..\n"),
        ("/srv/wt/.git", "gitdir: ../repo/.git/worktrees/wt\n"),
    ];
    assert_eq!(root_of(&files, "/srv/wt"), "/srv/repo");
}

#[test]
fn a_worktree_of_a_bare_repository_leads_to_the_bare_folder() {
    let files = [
        ("/srv/b.git/HEAD", "ref: refs/heads/main\n"),
        ("/srv/b.git/worktrees/bw/gitdir", "/srv/bw/.git\n"),
        ("/srv/b.git/worktrees/bw/commondir", "../..\n"),
        ("/srv/bw/.git", "gitdir: /srv/b.git/worktrees/bw\n"),
    ];
    assert_eq!(root_of(&files, "/srv/bw"), "/srv/b.git");
    assert_eq!(root_of(&files, "/srv/b.git"), "/srv/b.git");
}

#[test]
fn nested_repositories_and_submodules_are_their_own() {
    let files = [
        ("/srv/repo/.git", "/"),
        ("/srv/repo/inner/.git", "/"),
        ("/srv/repo/.git/modules/sub/HEAD", "ref: refs/heads/main\n"),
        ("/srv/repo/sub/.git", "gitdir: ../.git/modules/sub\n"),
    ];
    assert_eq!(root_of(&files, "/srv/repo/inner"), "/srv/repo/inner");
    assert_eq!(root_of(&files, "/srv/repo/sub"), "/srv/repo/sub");
}

#[test]
fn broken_pointers_make_a_root_of_their_own() {
    let files = [
        ("/srv/fake/.git", "/"),
        ("/srv/fake/sub", "/"),
        ("/srv/fk2/.git", "gitdir: /nowhere\n"),
        ("/srv/fk2/sub", "/"),
        ("/srv/plain/sub", "/"),
    ];
    assert_eq!(root_of(&files, "/srv/fake/sub"), "/srv/fake");
    assert_eq!(root_of(&files, "/srv/fk2/sub"), "/srv/fk2");
    assert_eq!(root_of(&files, "/srv/plain/sub"), "/srv/plain/sub");
}

#[test]
fn a_worktree_that_its_repository_does_not_name_is_its_own() {
    let mut files = WORKTREE.to_vec();
    files.push(("/srv/thief/.git", "gitdir: /srv/repo/.git/worktrees/wt\n"));
    assert_eq!(root_of(&files, "/srv/thief"), "/srv/thief");
}

/// The pointers of git are absolute: they part when the repository or the worktree is moved.
#[test]
fn a_worktree_that_parted_from_its_repository_is_told() {
    let said = |files: &[(&str, &str)], root: &str| {
        let (_keep, disk) = disk(files);
        parted_worktree(&disk, Path::new(root))
    };
    let after = "until `git worktree repair` its memory is its own";
    let led = "this worktree has parted from its repository: its .git leads to /srv/repo/.git/worktrees/wt";
    assert_eq!(said(WORKTREE, "/srv/wt"), None);
    assert_eq!(said(WORKTREE, "/srv/repo"), None);
    assert_eq!(
        said(&WORKTREE[3..], "/srv/wt"),
        Some(format!("{led}, which is gone; {after}"))
    );
    let mut files = WORKTREE.to_vec();
    files.push(("/srv/wt2/.git", WORKTREE[3].1));
    assert_eq!(
        said(&files, "/srv/wt2"),
        Some(format!("{led}, which is not this worktree's; {after}"))
    );
    // A submodule's folder is no worktree's, whole or not.
    let files = [("/srv/sub/.git", "gitdir: ../.git/modules/sub\n")];
    assert_eq!(said(&files, "/srv/sub"), None);
}

#[test]
fn links_are_resolved_below_the_sysroot() {
    let (keep, disk) = disk(WORKTREE);
    std::os::unix::fs::symlink("/srv/wt", keep.path().join("srv/link")).expect("a link");
    let cwd = disk.resolve(Path::new("/srv/link/in")).expect("a folder");
    assert_eq!(cwd, Path::new("/srv/wt/in"));
    assert_eq!(memory_root(&disk, &cwd), Path::new("/srv/repo"));
}
