import { realpath } from 'node:fs/promises'
import type { ServerConfigInput } from '@dataagent/schema'
import type { Link } from '../link/index.ts'
import type { FileServers, UntrustedServer } from './contract.ts'
import { type ReadOptions, readServers, usableServers } from './read-servers.ts'

export interface LoadOptions extends ReadOptions {
  link: Pick<Link, 'setServers'>
  /**
   * Whether the person agrees to what is shown; undefined where they would rather not say now.
   * Without it nobody is asked, and what was not agreed to is not used.
   */
  ask?: ((server: UntrustedServer) => Promise<boolean | undefined>) | undefined
}

/**
 * Reads the configuration files, asks about the project's servers that nobody was asked about, and
 * has the platform run what may be used. A remote platform runs none of them.
 */
export async function loadServers({ link, ask, ...options }: LoadOptions): Promise<FileServers> {
  let found = await readServers(options)
  if (!link.setServers) return found
  if (ask && (await askAll(found, ask, options))) found = await readServers(options)
  const refused = await setAll(usableServers(found), link.setServers)
  return { ...found, problems: [...found.problems, ...refused] }
}

/** One that the platform cannot take keeps the others from nothing: it is found and left out. */
async function setAll(
  servers: readonly ServerConfigInput[],
  set: NonNullable<Link['setServers']>,
): Promise<string[]> {
  const problemOf = (taken: readonly ServerConfigInput[]) =>
    set(taken).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
  if ((await problemOf(servers)) === undefined) return []
  const problems: string[] = []
  let taken: readonly ServerConfigInput[] = []
  for (const server of servers) {
    const problem = await problemOf([...taken, server])
    if (problem === undefined) taken = [...taken, server]
    else problems.push(`MCP: ${server.name}: ${problem}`)
  }
  return problems
}

/** Whether anybody answered. */
async function askAll(
  { servers }: FileServers,
  ask: NonNullable<LoadOptions['ask']>,
  options: ReadOptions,
): Promise<boolean> {
  let isAnswered = false
  for (const server of servers) {
    if (server.status !== 'untrusted' || server.verdict !== undefined) continue
    const answer = await ask(server)
    if (answer === undefined) continue
    await recordVerdict(server, answer, options)
    isAnswered = true
  }
  return isAnswered
}

/** What a person said to exactly this definition. */
export async function recordVerdict(
  { name, hash }: Pick<UntrustedServer, 'name' | 'hash'>,
  isAgreed: boolean,
  { trust, folder: path }: Pick<ReadOptions, 'trust' | 'folder'>,
): Promise<void> {
  const folder = await realpath(path).catch(() => path)
  await trust.record({ folder, name, hash }, isAgreed ? 'trusted' : 'refused')
}
