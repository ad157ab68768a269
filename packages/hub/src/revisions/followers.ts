import { type Reload, type RevisionRow, type Topic, topics } from './contract.ts'

interface Follower {
  topic: Topic
  reload: Reload
  /** What it has not loaded yet: everything, or these tenants. */
  isAllDue: boolean
  due: Set<string>
}

/** From here on one load of everything is less work than one for each tenant. */
const mostTenants = 100

/** Those who hold something in memory, and what each has still to load. */
export function createFollowers() {
  let followers: Follower[] = []

  function mark({ tenant_id, topic }: RevisionRow): void {
    for (const follower of followers) {
      if (follower.topic !== topic || follower.isAllDue) continue
      follower.due.add(tenant_id)
      if (follower.due.size > mostTenants) markAll(follower)
    }
  }

  /** Loads what is due, each tenant's topics in their order; gives what was thrown. */
  async function load(): Promise<unknown[]> {
    const errors: unknown[] = []
    const inOrder = topics.flatMap((topic) => followers.filter((each) => each.topic === topic))
    for (const follower of inOrder) {
      if (!follower.isAllDue) continue
      const isLoaded = await attempt(() => follower.reload(), errors)
      if (isLoaded) follower.isAllDue = false
    }
    for (const tenant_id of new Set(inOrder.flatMap(({ due }) => [...due]))) {
      for (const follower of inOrder) {
        if (!follower.due.has(tenant_id)) continue
        const isLoaded = await attempt(() => follower.reload(tenant_id), errors)
        if (isLoaded) follower.due.delete(tenant_id)
      }
    }
    return errors
  }

  return {
    add(topic: Topic, reload: Reload): () => void {
      const follower: Follower = { topic, reload, isAllDue: true, due: new Set() }
      followers = [...followers, follower]
      return () => {
        followers = followers.filter((each) => each !== follower)
      }
    },
    mark,
    markAll: () => followers.forEach(markAll),
    load,
    isCurrent: () => followers.every(({ isAllDue, due }) => !isAllDue && due.size === 0),
  }
}

function markAll(follower: Follower): void {
  follower.isAllDue = true
  follower.due.clear()
}

async function attempt(work: () => Promise<void>, errors: unknown[]): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    errors.push(error)
    return false
  }
}
