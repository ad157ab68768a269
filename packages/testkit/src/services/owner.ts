import { readFileSync } from 'node:fs'

/** The user a server runs as. */
export interface Owner {
  uid: number
  gid: number
}

/**
 * Who runs a private server: we ourselves, unless we are root. PostgreSQL refuses root and no test
 * server needs it, so root hands over to the first of `names` that the machine has.
 */
export function findOwner(names: string[]): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const rows = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of names) {
    const [, , uid, gid] = rows.find((row) => row.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  return undefined
}
