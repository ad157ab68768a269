import type { Me } from '@dataagent/schema'

type Person = Pick<Me, 'tenant_id' | 'user_id'>

const channelName = 'dataagent.sign-out'

/** Tells all tabs of this browser who has signed out. */
export function tellSignOut({ tenant_id, user_id }: Person): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage({ tenant_id, user_id })
  channel.close()
}

/** Calls back when somebody signs out, in whichever tab. Gives what ends it. */
export function hearSignOuts(heard: (person: Person) => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', ({ data }) => heard(data))
  return () => channel.close()
}
