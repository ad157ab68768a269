import { type Reload, type RevisionRow, type Topic, topics } from './contract.ts'

interface Follower {
  topic: Topic
  reload: Reload
  /** What it has not loaded yet: everything, or these tenants. */
  isAllDue: boolean
  due: Set<string>
  /** Unset until it has loaded everything, and where nothing that it holds can be relied on. */
  isKnown: boolean
  hasFailed: boolean
  loading: number
}

/** `tools` are many, and say nothing of who may do what: nobody waits for them but who asks. */
export type Lane = 'quick' | 'slow'

const laneOf = (topic: Topic): Lane => (topic === 'tools' ? 'slow' : 'quick')

/** From here on one load of everything is less work than one for each tenant. */
const mostTenants = 100

/** Those who hold something in memory, and what each has still to load. */
export function createFollowers() {
  let followers: Follower[] = []
  const inLane = (lane: Lane) => followers.filter(({ topic }) => laneOf(topic) === lane)

  function mark({ tenant_id, topic }: RevisionRow): void {
    for (const follower of followers) {
      if (follower.topic !== topic || follower.isAllDue) continue
      follower.due.add(tenant_id)
      if (follower.due.size > mostTenants) markAll(follower)
    }
  }

  /**
   * Loads what is due, each tenant's topics in their order; gives what was thrown. What is marked
   * meanwhile stays due.
   */
  async function load(lane: Lane): Promise<unknown[]> {
    const errors: unknown[] = []
    const own = inLane(lane)
    const inOrder = topics.flatMap((topic) => own.filter((each) => each.topic === topic))
    for (const follower of inOrder) if (follower.isAllDue) await loadAll(follower, errors)
    for (const tenant_id of new Set(inOrder.flatMap(({ due }) => [...due]))) {
      for (const follower of inOrder) {
        if (follower.due.has(tenant_id)) await loadTenant(follower, tenant_id, errors)
      }
    }
    return errors
  }

  return {
    add(topic: Topic, reload: Reload): () => void {
      const fresh = { isAllDue: true, isKnown: false, hasFailed: false, loading: 0 }
      const follower: Follower = { topic, reload, due: new Set(), ...fresh }
      followers = [...followers, follower]
      return () => {
        followers = followers.filter((each) => each !== follower)
      }
    },
    mark,
    /** Nothing in memory holds any more. */
    markAll() {
      for (const follower of followers) {
        markAll(follower)
        follower.isKnown = false
      }
    },
    load,
    isCurrent: (lane: Lane) =>
      inLane(lane).every(({ isAllDue, due, loading }) => !isAllDue && due.size + loading === 0),
    /** Whether nothing was lost and no load has failed: what is there is old at the most. */
    isSound: () => followers.every(({ isKnown, hasFailed }) => isKnown && !hasFailed),
  }
}

function markAll(follower: Follower): void {
  follower.isAllDue = true
  follower.due.clear()
}

async function loadAll(follower: Follower, errors: unknown[]): Promise<void> {
  follower.isAllDue = false
  const isLoaded = await attempt(follower, undefined, errors)
  if (isLoaded) follower.isKnown = true
  else markAll(follower)
}

async function loadTenant(follower: Follower, tenant_id: string, errors: unknown[]) {
  follower.due.delete(tenant_id)
  const isLoaded = await attempt(follower, tenant_id, errors)
  if (!isLoaded && !follower.isAllDue) follower.due.add(tenant_id)
}

async function attempt(
  follower: Follower,
  tenant_id: string | undefined,
  errors: unknown[],
): Promise<boolean> {
  follower.loading += 1
  try {
    await follower.reload(tenant_id)
    follower.hasFailed = false
    return true
  } catch (error) {
    follower.hasFailed = true
    errors.push(error)
    return false
  } finally {
    follower.loading -= 1
  }
}
