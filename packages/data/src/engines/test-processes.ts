import { readdir, readFile } from 'node:fs/promises'

/** All processes that come from `pid`, however far down; those that have ended do not count. */
export async function familyOf(pid: number): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = new Map(
    await Promise.all(names.map(async (name) => [Number(name), await parentOf(name)] as const)),
  )
  const family = new Set([pid])
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const [child, parent] of parents) if (family.has(parent)) family.add(child)
  }
  family.delete(pid)
  return [...family]
}

async function parentOf(pid: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' ? 0 : Number(parent ?? 0)
}

export async function isAlive(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text !== '' && text.slice(text.lastIndexOf(')') + 2)[0] !== 'Z'
}
