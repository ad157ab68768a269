import { readFile } from 'node:fs/promises'
import { waitFor } from '@dataagent/testkit'
import { descendantsOf } from './reading.ts'
import { patienceMs, type Scene, servers } from './scene.ts'

const often = { timeoutMs: patienceMs, intervalMs: 50 }

/** Every server is lost, and comes back. */
export async function loseUpstreams(scene: Scene): Promise<void> {
  const { admin, upstreams, whenOffered } = scene
  const before = await localProcess(scene)
  for (const proxy of upstreams) await proxy.set({ kind: 'refuse' })
  for (const name of ['remote', 'events']) {
    const args = { message: 'anybody there?' }
    await admin.tools.call({ tool: { server_id: name, name: 'echo' }, args }).catch(() => {})
    const isLost = async () => (await admin.servers.get(name)).status !== 'running'
    await waitFor(isLost, { ...often, what: `${name} lost` })
  }
  process.kill(before!, 'SIGKILL')
  for (const proxy of upstreams) await proxy.set({ kind: 'pass' })
  const isAnother = async () => ![before, undefined].includes(await localProcess(scene))
  await waitFor(isAnother, { ...often, what: 'another process' })
  await Promise.all(servers.map(whenOffered))
}

async function localProcess({ node, local }: Scene): Promise<number | undefined> {
  for (const pid of await descendantsOf(node.pid)) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (line.split('\0').includes(local.args.at(-1)!)) return pid
  }
  return undefined
}
