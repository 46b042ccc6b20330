//! Letters in memory: bounded in number and size, and thrown away when nobody has touched them for a while.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use tokio::{
    sync::Notify,
    task::AbortHandle,
    time::{Instant, sleep},
};

use crate::state::{Address, Full, Letter, Mailbox};

/// How many letters lie at one address, and how many bytes: from then on the oldest go.
const MAX_LETTERS: usize = 1024;
const MAX_BYTES: usize = 64 << 20;

/// How many bytes lie at all addresses together, with what it takes to keep them, and how many are left when room was
/// made.
const MAX_TOTAL: usize = 256 << 20;
const KEPT_TOTAL: usize = MAX_TOTAL / 4 * 3;

/// What an address takes beside its letters, roughly.
const OVERHEAD: usize = 512;

/// Letters in the memory of this process.
#[derive(Debug)]
pub struct MemoryMailbox {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// How long an address is kept that nobody waits at, or posts to.
    lifetime: Duration,
    boxes: Mutex<Boxes>,
}

#[derive(Debug, Default)]
struct Boxes {
    by_address: HashMap<Address, LetterBox>,
    // Of all addresses together: one that is used again does not begin anew.
    n_posted: u64,
    n_bytes: usize,
    /// Throws away what is too old; there is one while there are letters.
    sweeper: Option<AbortHandle>,
}

#[derive(Debug)]
struct LetterBox {
    letters: VecDeque<Letter>,
    n_bytes: usize,
    n_waiting: usize,
    posted: Arc<Notify>,
    touched: Instant,
}

impl MemoryMailbox {
    /// Keeps letters for so long after an address was used last.
    pub fn new(lifetime: Duration) -> Self {
        Self { shared: Arc::new(Shared { lifetime, boxes: Mutex::default() }) }
    }
}

impl Drop for MemoryMailbox {
    fn drop(&mut self) {
        if let Some(sweeper) = self.shared.lock().sweeper.take() {
            sweeper.abort();
        }
    }
}

#[async_trait]
impl Mailbox for MemoryMailbox {
    async fn post(&self, address: &Address, content: Bytes) -> Result<u64, Full> {
        let mut boxes = self.shared.lock();
        let taken = content.len() + OVERHEAD;
        if boxes.n_bytes + taken > MAX_TOTAL {
            boxes.make_room();
        }
        if content.len() > MAX_BYTES || boxes.n_bytes + taken > MAX_TOTAL {
            return Err(Full);
        }
        boxes.n_posted += 1;
        let number = boxes.n_posted;
        let is_new = !boxes.by_address.contains_key(address);
        let letter_box = boxes.by_address.entry(address.clone()).or_insert_with(LetterBox::new);
        let before = letter_box.n_bytes;
        letter_box.push(Letter { number, content });
        let after = letter_box.n_bytes;
        boxes.n_bytes += after + if is_new { OVERHEAD } else { 0 };
        boxes.n_bytes -= before;
        if boxes.sweeper.is_none() {
            let sweep = sweep(Arc::downgrade(&self.shared), self.shared.lifetime);
            boxes.sweeper = Some(tokio::spawn(sweep).abort_handle());
        }
        Ok(number)
    }

    async fn receive(&self, address: &Address, after: u64) -> Letter {
        let waiting = Waiting::begin(&self.shared, address);
        loop {
            // Before looking: what is posted in between wakes it.
            let mut posted = std::pin::pin!(waiting.posted.notified());
            posted.as_mut().enable();
            if let Some(letter) = self.shared.lock().first_after(address, after) {
                return letter;
            }
            posted.await;
        }
    }

    async fn latest(&self, address: &Address) -> Option<Letter> {
        let mut boxes = self.shared.lock();
        let letter_box = boxes.by_address.get_mut(address)?;
        letter_box.touched = Instant::now();
        letter_box.letters.back().cloned()
    }

    async fn discard(&self, address: &Address, up_to: u64) {
        let mut boxes = self.shared.lock();
        let Some(letter_box) = boxes.by_address.get_mut(address) else { return };
        let n_freed = letter_box.discard(up_to);
        boxes.n_bytes -= n_freed;
        boxes.remove_if_idle(address);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Boxes> {
        self.boxes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Boxes {
    fn first_after(&mut self, address: &Address, after: u64) -> Option<Letter> {
        let letter_box = self.by_address.get_mut(address)?;
        letter_box.touched = Instant::now();
        let place = letter_box.letters.partition_point(|letter| letter.number <= after);
        letter_box.letters.get(place).cloned()
    }

    /// An address with no letters that nobody waits at is as if it had never been.
    fn remove_if_idle(&mut self, address: &Address) {
        let is_idle =
            |letter_box: &LetterBox| letter_box.letters.is_empty() && letter_box.n_waiting == 0;
        if self.by_address.get(address).is_some_and(is_idle) {
            self.by_address.remove(address);
            self.n_bytes -= OVERHEAD;
        }
    }

    /// Throws away what was not touched for longest and nobody waits for.
    fn make_room(&mut self) {
        let is_idle = |letter_box: &LetterBox| letter_box.n_waiting == 0;
        let idle = self.by_address.iter().filter(|(_, letter_box)| is_idle(letter_box));
        let mut idle: Vec<_> =
            idle.map(|(address, letter_box)| (letter_box.touched, address.clone())).collect();
        idle.sort_unstable_by_key(|(touched, _)| *touched);
        for (_, address) in idle {
            if self.n_bytes <= KEPT_TOTAL {
                return;
            }
            if let Some(letter_box) = self.by_address.remove(&address) {
                self.n_bytes -= letter_box.n_bytes + OVERHEAD;
            }
        }
    }

    /// Throws away what nobody touched since before `limit`. Whether anything is left.
    fn sweep(&mut self, limit: Option<Instant>) -> bool {
        let mut freed = 0;
        self.by_address.retain(|_, letter_box| {
            let is_kept =
                letter_box.n_waiting > 0 || limit.is_none_or(|limit| letter_box.touched > limit);
            if !is_kept {
                freed += letter_box.n_bytes + OVERHEAD;
            }
            is_kept
        });
        self.n_bytes -= freed;
        self.by_address.shrink_to(self.by_address.len() * 2);
        !self.by_address.is_empty()
    }
}

impl LetterBox {
    fn new() -> Self {
        Self {
            letters: VecDeque::new(),
            n_bytes: 0,
            n_waiting: 0,
            posted: Arc::new(Notify::new()),
            touched: Instant::now(),
        }
    }

    fn push(&mut self, letter: Letter) {
        self.n_bytes += letter.content.len();
        self.letters.push_back(letter);
        while self.letters.len() > MAX_LETTERS || self.n_bytes > MAX_BYTES {
            let Some(oldest) = self.letters.front().map(|letter| letter.number) else { break };
            self.discard(oldest);
        }
        self.touched = Instant::now();
        self.posted.notify_waiters();
    }

    /// Throws away the letters up to this number. How many bytes that frees.
    fn discard(&mut self, up_to: u64) -> usize {
        let mut n_freed = 0;
        while self.letters.front().is_some_and(|letter| letter.number <= up_to) {
            n_freed += self.letters.pop_front().map_or(0, |letter| letter.content.len());
        }
        self.n_bytes -= n_freed;
        n_freed
    }
}

/// Somebody waits at an address, until this is dropped.
struct Waiting<'a> {
    shared: &'a Shared,
    address: &'a Address,
    posted: Arc<Notify>,
}

impl<'a> Waiting<'a> {
    fn begin(shared: &'a Shared, address: &'a Address) -> Self {
        let mut boxes = shared.lock();
        if !boxes.by_address.contains_key(address) {
            boxes.by_address.insert(address.clone(), LetterBox::new());
            boxes.n_bytes += OVERHEAD;
        }
        let letter_box = boxes.by_address.get_mut(address).expect("it was put there");
        letter_box.n_waiting += 1;
        Self { shared, address, posted: Arc::clone(&letter_box.posted) }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut boxes = self.shared.lock();
        if let Some(letter_box) = boxes.by_address.get_mut(self.address) {
            letter_box.n_waiting -= 1;
            letter_box.touched = Instant::now();
        }
        boxes.remove_if_idle(self.address);
    }
}

/// Looks twice in a lifetime; ends when nothing is left. The mailbox ends it, if it goes first.
async fn sweep(shared: Weak<Shared>, lifetime: Duration) {
    loop {
        sleep(lifetime / 2).await;
        let Some(shared) = shared.upgrade() else { return };
        let mut boxes = shared.lock();
        if !boxes.sweep(Instant::now().checked_sub(lifetime)) {
            boxes.sweeper = None;
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;
    use futures_util::future::join;
    use tokio::time::sleep;

    use super::{MAX_BYTES, MAX_LETTERS, MemoryMailbox};
    use crate::state::{Address, Full, Letter, Mailbox};

    const LIFETIME: Duration = Duration::from_mins(5);

    fn address() -> Address {
        Address::new("test", &["a"])
    }

    fn content(mailbox: &MemoryMailbox) -> (usize, usize) {
        let boxes = mailbox.shared.lock();
        (boxes.by_address.len(), boxes.n_bytes)
    }

    #[test]
    fn parts_cannot_run_into_one_another() {
        assert_ne!(Address::new("a", &["b", "c"]), Address::new("a", &["b/1:c"]));
        assert_ne!(Address::new("a", &["bc", ""]), Address::new("a", &["b", "c"]));
    }

    #[tokio::test]
    async fn letters_are_read_in_order_and_stay() {
        let mailbox = MemoryMailbox::new(LIFETIME);
        for text in ["one", "two"] {
            mailbox.post(&address(), Bytes::from_static(text.as_bytes())).await.unwrap();
        }
        for _ in 0..2 {
            let first = mailbox.receive(&address(), 0).await;
            assert_eq!(first, Letter { number: 1, content: Bytes::from_static(b"one") });
            let second = mailbox.receive(&address(), first.number).await;
            assert_eq!(second, Letter { number: 2, content: Bytes::from_static(b"two") });
        }
        assert_eq!(mailbox.latest(&address()).await.map(|letter| letter.number), Some(2));
    }

    #[tokio::test]
    async fn a_letter_reaches_who_waits_for_it() {
        let mailbox = MemoryMailbox::new(LIFETIME);
        let place = address();
        let post = mailbox.post(&place, Bytes::from_static(b"now"));
        let (letter, posted) = join(mailbox.receive(&place, 0), post).await;
        assert_eq!((letter.number, posted), (1, Ok(1)));
    }

    #[tokio::test]
    async fn nothing_is_left_of_who_waited_in_vain() {
        let mailbox = MemoryMailbox::new(LIFETIME);
        {
            let place = address();
            let mut waiting = std::pin::pin!(mailbox.receive(&place, 0));
            assert!(futures_util::poll!(waiting.as_mut()).is_pending());
            assert_eq!(content(&mailbox).0, 1);
        }
        assert_eq!(content(&mailbox), (0, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn what_nobody_touches_is_thrown_away() {
        let mailbox = MemoryMailbox::new(LIFETIME);
        for n in 0..1000 {
            let place = Address::new("test", &[&n.to_string()]);
            mailbox.post(&place, Bytes::from_static(b"x")).await.unwrap();
        }
        sleep(LIFETIME * 2).await;
        assert_eq!(content(&mailbox), (0, 0));
    }

    #[tokio::test]
    async fn the_oldest_letters_make_room_and_the_whole_has_an_end() {
        let mailbox = MemoryMailbox::new(LIFETIME);
        for _ in 0..=MAX_LETTERS {
            mailbox.post(&address(), Bytes::from_static(b"x")).await.unwrap();
        }
        assert_eq!(mailbox.receive(&address(), 0).await.number, 2);
        assert_eq!(mailbox.receive(&address(), 2).await.number, 3);
        mailbox.discard(&address(), u64::MAX).await;
        assert_eq!(content(&mailbox), (0, 0));

        let large = Bytes::from(vec![0; MAX_BYTES]);
        let place = |n: u32| Address::new("large", &[&n.to_string()]);
        for n in 0..4 {
            mailbox.post(&place(n), large.clone()).await.unwrap();
        }
        // What was not touched for longest made room.
        assert_eq!(mailbox.latest(&place(0)).await, None);
        assert!(mailbox.latest(&place(3)).await.is_some());
        // What somebody waits for does not.
        let places: Vec<Address> = (1..4).map(place).collect();
        let mut waiting: Vec<_> =
            places.iter().map(|place| Box::pin(mailbox.receive(place, u64::MAX))).collect();
        for wait in &mut waiting {
            assert!(futures_util::poll!(wait.as_mut()).is_pending());
        }
        assert_eq!(mailbox.post(&address(), large).await, Err(Full));
    }
}
