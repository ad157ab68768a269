import type { ServerInfo } from '@dataagent/schema'
import type { Link } from '../link/index.ts'
import { toPlainLine } from '../ui/index.ts'
import type { Check, CheckName, DoctorNeeds } from './contract.ts'
import {
  addProvider,
  clockIs,
  clockRuns,
  clockUnknown,
  keysSet,
  lookInLog,
  modelsThere,
  noServers,
  notChecked,
  notReady,
  onlyDemo,
  platformAway,
  platformIs,
  seeMcp,
  serverFault,
  serversAre,
  setClock,
  setKey,
  waitOrLog,
} from './words.ts'

const askMs = 10_000
const clockMaxMs = 60_000
const keyNames = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL']

/** What the platform tells; where it does not answer, that. */
export async function checkPlatform(needs: DoctorNeeds): Promise<Check[]> {
  const { logFile, patienceMs = 30_000 } = needs
  const link = await within(patienceMs, needs.link()).catch((error: unknown) => toTold(error))
  if (typeof link === 'string') {
    const todo = lookInLog(toPlainLine(logFile, 80))
    const away: Check = { name: 'platform', status: 'fail', text: platformAway(link), todo }
    return [away, checkKeys(needs), ...(['servers', 'clock'] as const).map(unchecked)]
  }
  return Promise.all([
    checkReady(link, needs),
    checkModels(link, needs),
    checkServers(link, needs),
    checkClock(link, needs),
  ])
}

function unchecked(name: CheckName): Check {
  return { name, status: 'warn', text: notChecked }
}

async function checkReady(
  { client, kind, url, version }: Link,
  needs: DoctorNeeds,
): Promise<Check> {
  const name = 'platform'
  try {
    await client.operations.ready({ signal: asking(needs) })
    const text = platformIs(kind, toPlainLine(url, 60), toPlainLine(version, 20))
    return { name, status: 'pass', text }
  } catch (error) {
    return { name, status: 'fail', text: notReady(toTold(error)), todo: waitOrLog }
  }
}

/** Of a remote platform the keys are its own. */
async function checkModels({ client, kind }: Link, needs: DoctorNeeds): Promise<Check> {
  const name = 'models'
  try {
    const { models } = await client.models.list({ signal: asking(needs) })
    const first = models.find(({ is_default }) => is_default)?.model ?? '?'
    const real = models.filter(({ provider_id }) => provider_id !== 'demo')
    if (real.length > 0) {
      return { name, status: 'pass', text: modelsThere(real.length, toPlainLine(first, 40)) }
    }
    const todo = kind === 'local' ? setKey : addProvider
    return { name, status: 'warn', text: onlyDemo, todo }
  } catch {
    return checkKeys(needs)
  }
}

/** Names only. */
function checkKeys({ env }: DoctorNeeds): Check {
  const names = keyNames.filter((key) => env[key])
  if (names.length > 0) return { name: 'models', status: 'pass', text: keysSet(names.join(', ')) }
  return { name: 'models', status: 'warn', text: onlyDemo, todo: setKey }
}

async function checkServers({ client, user_id }: Link, needs: DoctorNeeds): Promise<Check> {
  const name = 'servers'
  try {
    const signal = asking(needs)
    const [shared, own] = await Promise.all([
      client.servers.list({ signal }).catch(() => ({ servers: [] })),
      client.userServers.list(user_id, { signal }),
    ])
    const all = new Map([...shared.servers, ...own.servers].map((one) => [one.server_id, one]))
    const used = [...all.values()].filter(({ disabled }) => !disabled)
    if (used.length === 0) return { name, status: 'pass', text: noServers }
    const faulty = used.filter(({ status }) => status === 'error')
    const running = used.filter(({ status }) => status === 'running').length
    const text = serversAre(running, used.length)
    if (faulty.length === 0) return { name, status: 'pass', text }
    return { name, status: 'warn', text, todo: toFaults(faulty) }
  } catch (error) {
    return { name, status: 'warn', text: platformAway(toTold(error)) }
  }
}

function toFaults(faulty: readonly ServerInfo[]) {
  const told = faulty.slice(0, 3).map(({ name, status_message = '' }) => ({
    ...{ name: toPlainLine(name, 30), message: toPlainLine(status_message, 80) || 'error' },
  }))
  const en = told.map(({ name, message }) => serverFault(name, message).en).join('; ')
  const zh = told.map(({ name, message }) => serverFault(name, message).zh).join('；')
  return { en: seeMcp(`${en}.`).en, zh: seeMcp(`${zh}。`).zh }
}

/** By the date of an answer (RFC 9110 section 6.6.1), which is to the second. */
async function checkClock({ client }: Link, needs: DoctorNeeds): Promise<Check> {
  const name = 'clock'
  try {
    const from = Date.now()
    const answer = await client.audit.exportCalls({ from }, { signal: asking(needs) })
    await answer.body?.cancel()
    const theirs = Date.parse(answer.headers.get('date') ?? '')
    if (Number.isNaN(theirs)) return { name, status: 'pass', text: clockUnknown }
    const away = Math.abs(Date.now() - theirs)
    if (away <= clockMaxMs) return { name, status: 'pass', text: clockRuns }
    return { name, status: 'warn', text: clockIs(Math.round(away / 1_000)), todo: setClock }
  } catch {
    return { name, status: 'pass', text: clockUnknown }
  }
}

function asking({ signal }: DoctorNeeds): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(askMs)])
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1_000} s`)), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

function toTold(error: unknown): string {
  return toPlainLine(error instanceof Error ? error.message : String(error), 200)
}
