//! Files that are put in place and taken away at the same time, and what is left when a host is killed in between.

use std::{
    fs::{self, File, FileTimes},
    path::Path,
    sync::{Barrier, atomic::Ordering, mpsc},
    thread,
    time::{Duration, Instant, SystemTime},
};

use bytes::Bytes;
use tempfile::TempDir;

use super::{Folder, about, stat, stat_of, while_awaited, write};
use crate::{
    binding::{
        blob::{
            fault::Fault,
            store::{About, Stat},
        },
        segment::{ABOUT, STAGING},
    },
    function::Condition,
};

fn container() -> (TempDir, Folder) {
    let root = tempfile::tempdir().unwrap();
    let folder = Folder::new(root.path(), "c");
    (root, folder)
}

fn about(text: &str) -> About {
    About {
        content_type: Some("text/markdown".to_owned()),
        metadata: vec![("author".to_owned(), text.to_owned())],
    }
}

async fn put(folder: &Folder, name: &str, about: &About) {
    folder.write(name, Bytes::from_static(b"x"), &Condition::Always, about).await.unwrap();
}

async fn said(folder: &Folder, name: &str) -> About {
    folder.stat(name).await.unwrap().expect("the blob is there").1
}

fn n_about(folder: &Folder) -> usize {
    fs::read_dir(folder.path.join(ABOUT)).unwrap().count()
}

/// Makes a file older than it is.
fn age(path: &Path, age: Duration) {
    let times = FileTimes::new().set_modified(SystemTime::now() - age);
    File::options().write(true).open(path).unwrap().set_times(times).unwrap();
}

#[tokio::test]
async fn a_described_blob_may_be_where_a_folder_of_described_blobs_was() {
    let (_root, folder) = container();
    for _ in 0..2 {
        put(&folder, "a/b/c", &about("1")).await;
        folder.delete("a/b/c").await.unwrap();
        put(&folder, "a", &about("2")).await;
        assert_eq!(said(&folder, "a").await, about("2"));
        // Another program takes the blob away, and what was said of it stays.
        fs::remove_file(folder.file("a")).unwrap();
    }
}

#[tokio::test]
async fn a_blob_may_be_where_a_killed_host_left_empty_folders() {
    let (_root, folder) = container();
    fs::create_dir_all(folder.file("a/b/c")).unwrap();
    put(&folder, "a", &About::of_name("a")).await;
    assert!(folder.file("a").is_file());
    fs::create_dir_all(folder.file("d/empty")).unwrap();
    fs::write(folder.file("d/file"), "x").unwrap();
    let error = folder.write("d", Bytes::new(), &Condition::Always, &about("1")).await.unwrap_err();
    assert!(matches!(error, Fault::Storage(..)));
    assert!(folder.file("d/empty").is_dir(), "folders beside a file belong to somebody");
    assert_eq!(n_about(&folder), 0, "nothing is said of what was not put in place");
}

#[tokio::test]
async fn a_write_that_does_not_come_to_pass_makes_no_folders() {
    let (_root, folder) = container();
    let condition = Condition::Unchanged("1".to_owned());
    let error = folder.write("a/b", Bytes::new(), &condition, &about("1")).await.unwrap_err();
    assert!(matches!(error, Fault::Conflict));
    assert!(!folder.file("a").exists());
    assert_eq!(n_about(&folder), 0);
}

#[tokio::test]
async fn each_version_has_its_own_description_until_the_next_is_in_place() {
    let (_root, folder) = container();
    put(&folder, "a", &about("old")).await;
    // As far as a host comes that is killed before it renames.
    let staged = folder.path.join(STAGING).join("new");
    fs::write(&staged, "a longer text").unwrap();
    let version = stat_of(&fs::metadata(&staged).unwrap());
    about::write(&folder.path, "a", &about("new"), &version).unwrap();
    assert_eq!(said(&folder, "a").await, about("old"));
    // And after.
    fs::rename(&staged, folder.file("a")).unwrap();
    assert_eq!(said(&folder, "a").await, about("new"));
    assert_eq!(n_about(&folder), 2);
    put(&folder, "a", &about("newer")).await;
    assert_eq!(said(&folder, "a").await, about("newer"));
    assert_eq!(n_about(&folder), 2, "but for what was left, one for each blob");
    // A version of which nothing is said.
    put(&folder, "a", &About::of_name("a")).await;
    assert_eq!(said(&folder, "a").await, About::of_name("a"));
    assert_eq!(n_about(&folder), 1);
}

#[tokio::test]
async fn what_was_left_for_an_hour_is_swept_and_nothing_else() {
    let (root, folder) = container();
    let (young, old) = (Duration::from_mins(59), Duration::from_mins(61));
    put(&folder, "kept", &about("kept")).await;
    let version = stat(&folder.file("kept")).unwrap().unwrap();
    let earlier = Stat { etag: Some("earlier".to_owned()), ..version.clone() };
    for (name, version) in [("kept", &earlier), ("gone", &version)] {
        about::write(&folder.path, name, &about("left"), version).unwrap();
    }
    let beside = || fs::read_dir(folder.path.join(ABOUT)).unwrap().map(|file| file.unwrap().path());
    beside().for_each(|file| age(&file, old));
    about::write(&folder.path, "soon", &about("soon"), &version).unwrap();
    let staging = folder.path.join(STAGING);
    for (name, how_old) in [("young", young), ("old", old)] {
        fs::write(staging.join(name), name).unwrap();
        age(&staging.join(name), how_old);
    }
    // A host that starts.
    let folder = Folder::new(root.path(), "c");
    put(&folder, "other", &About::of_name("other")).await;
    let staged: Vec<_> =
        fs::read_dir(&staging).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(staged, ["young"]);
    assert_eq!(said(&folder, "kept").await, about("kept"));
    assert_eq!(n_about(&folder), 2, "that of `kept`, and that of a version that is to come");
}

#[test]
fn blobs_of_one_folder_are_written_and_deleted_at_the_same_time() {
    const ROUNDS: usize = 1_000;
    let (_root, folder) = container();
    let start = Barrier::new(2);
    thread::scope(|scope| {
        for name in ["a/b", "a/c"] {
            let (folder, start) = (&folder, &start);
            scope.spawn(move || {
                start.wait();
                for round in 0..ROUNDS {
                    let about = About::of_name(name);
                    let writing = write::Writing::begin(folder.clone(), name.to_owned(), about);
                    let written = writing.and_then(|writing| {
                        writing.finish(round.to_string().as_bytes(), &Condition::Absent)
                    });
                    written.unwrap_or_else(|fault| panic!("write {round}: {fault:?}"));
                    let text = fs::read_to_string(folder.file(name)).unwrap();
                    assert_eq!(text, round.to_string());
                    write::delete(folder, name)
                        .unwrap_or_else(|fault| panic!("delete {round}: {fault:?}"));
                }
            });
        }
    });
    assert!(!folder.file("a").exists());
}

#[tokio::test]
async fn work_that_nobody_waits_for_is_told() {
    let (started, has_started) = mpsc::channel();
    let (ended, has_ended) = mpsc::channel();
    let deadline = Duration::from_secs(20);
    let work = while_awaited(move |is_stopped| {
        started.send(()).unwrap();
        let since = Instant::now();
        while !is_stopped.load(Ordering::Relaxed) && since.elapsed() < deadline {
            thread::yield_now();
        }
        ended.send(is_stopped.load(Ordering::Relaxed)).unwrap();
        Ok(())
    });
    tokio::select! {
        biased;
        _ = work => panic!("nothing has stopped it"),
        () = async { has_started.recv_timeout(deadline).unwrap() } => {}
    }
    assert!(has_ended.recv().unwrap(), "it has been told");
}

#[cfg(unix)]
#[tokio::test]
async fn links_are_what_they_lead_to_and_circles_end() {
    use std::os::unix::fs::symlink;

    let (root, folder) = container();
    fs::create_dir_all(folder.file("a/b")).unwrap();
    fs::create_dir(root.path().join("outside")).unwrap();
    for file in ["c/a/x", "c/a/b/y", "outside/z"] {
        fs::write(root.path().join(file), file).unwrap();
    }
    for (target, link) in [
        ("a/x", "file"),
        ("../outside", "folder"),
        ("nowhere", "dangling"),
        ("itself", "itself"),
        (".", "circle"),
        ("..", "a/circle"),
        ("../..", "a/b/circle"),
        // Through a folder that the container is in.
        ("..", "above"),
    ] {
        symlink(target, folder.file(link)).unwrap();
    }
    let found = folder.list("", None, 100).await.unwrap();
    let names: Vec<_> = found.iter().map(|blob| blob.name.as_str()).collect();
    assert_eq!(names, ["a/b/y", "a/x", "above/outside/z", "file", "folder/z"]);
    assert_eq!(found[3].size, 5, "the size of a link is that of its file");
}
