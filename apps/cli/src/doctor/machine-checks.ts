import { mkdtemp, open, rmdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { toPlainLine } from '../ui/index.ts'
import type { Check, DoctorNeeds } from './contract.ts'
import {
  chooseStorage,
  coloursOff,
  coloursOn,
  encodingIs,
  exceptLoopback,
  giveLog,
  logIs,
  logNotWritable,
  logNotYet,
  makeRoom,
  nodeIs,
  nodeTooOld,
  noProxy,
  noTerminal,
  proxyIs,
  setUtf8,
  storageIs,
  storageNotWritable,
  terminalIs,
  terminalIsDumb,
  terminalIsSmall,
  useRun,
} from './words.ts'

const nodeMin = 24
const mib = 1024 * 1024

/** What can be seen without the platform. */
export async function checkMachine(needs: DoctorNeeds): Promise<Check[]> {
  return [
    checkNode(needs),
    checkTerminal(needs),
    checkEncoding(needs),
    checkColours(needs),
    await checkStorage(needs),
    await checkLog(needs),
    checkProxy(needs),
  ]
}

function checkNode({ nodeVersion = process.versions.node }: DoctorNeeds): Check {
  const isNew = Number.parseInt(nodeVersion, 10) >= nodeMin
  const found = { name: 'node', text: nodeIs(nodeVersion) } as const
  return isNew
    ? { ...found, status: 'pass' }
    : { ...found, status: 'fail', todo: nodeTooOld(nodeMin) }
}

function checkTerminal({ env, isTty, columns, rows }: DoctorNeeds): Check {
  const name = 'terminal'
  if (!isTty) return { name, status: 'warn', text: noTerminal, todo: useRun }
  const { TERM = '' } = env
  const text = terminalIs(toPlainLine(TERM, 30) || '?', columns, rows)
  if (TERM === '' || TERM === 'dumb') return { name, status: 'warn', text, todo: terminalIsDumb }
  if (columns < 60 || rows < 12) return { name, status: 'warn', text, todo: terminalIsSmall }
  return { name, status: 'pass', text }
}

function checkEncoding({ env: { LC_ALL, LC_CTYPE, LANG } }: DoctorNeeds): Check {
  const locale = LC_ALL || LC_CTYPE || LANG || ''
  const text = encodingIs(toPlainLine(locale, 30) || '?')
  if (/utf-?8/i.test(locale)) return { name: 'encoding', status: 'pass', text }
  return { name: 'encoding', status: 'warn', text, todo: setUtf8 }
}

/** That there are none is nobody's fault. */
function checkColours({ env, isTty, theme }: DoctorNeeds): Check {
  const why = env.NO_COLOR ? 'NO_COLOR' : isTty ? 'TERM, /theme' : 'no terminal'
  const text = theme.hasColor ? coloursOn : coloursOff(why)
  return { name: 'colours', status: 'pass', text }
}

const roomLittle = 1024 * mib
const roomNone = 64 * mib

async function checkStorage({ dataDir }: DoctorNeeds): Promise<Check> {
  const name = 'storage'
  const shown = toPlainLine(dataDir, 80)
  const place = await nearestFolder(dataDir)
  if (!(await canWriteIn(place))) {
    return { name, status: 'fail', text: storageNotWritable(shown), todo: chooseStorage }
  }
  const { bavail, bsize } = await statfs(place)
  const free = bavail * bsize
  const text = storageIs(shown, formatRoom(free))
  if (free < roomNone) return { name, status: 'fail', text, todo: makeRoom }
  return free < roomLittle
    ? { name, status: 'warn', text, todo: makeRoom }
    : { name, status: 'pass', text }
}

async function checkLog({ logFile }: DoctorNeeds): Promise<Check> {
  const name = 'log'
  const shown = toPlainLine(logFile, 80)
  const found = await stat(logFile).catch(() => undefined)
  const isOpen = await (found ? canAppend(logFile) : canWriteIn(await nearestFolder(logFile)))
  if (!isOpen) {
    return { name, status: 'warn', text: logNotWritable(shown), todo: giveLog }
  }
  const text = found ? logIs(shown, formatRoom(found.size)) : logNotYet(shown)
  return { name, status: 'pass', text }
}

const proxyNames = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'https_proxy', 'http_proxy']

/** Names only: the address may hold a password. */
function checkProxy({ env }: DoctorNeeds): Check {
  const name = 'proxy'
  const names = proxyNames.filter((one) => env[one])
  if (names.length === 0) return { name, status: 'pass', text: noProxy }
  const text = proxyIs(names.join(', '))
  const except = env.NO_PROXY ?? env.no_proxy ?? ''
  const isSpared = /(^|[,\s])(\*|localhost|127\.0\.0\.1)($|[,\s])/.test(except)
  return isSpared
    ? { name, status: 'pass', text }
    : { name, status: 'warn', text, todo: exceptLoopback }
}

/** What is not there yet will be made below it. */
async function nearestFolder(path: string): Promise<string> {
  for (let place = path; ; place = dirname(place)) {
    const found = await stat(place).catch(() => undefined)
    if (found || dirname(place) === place) return place
  }
}

/** Tried: what rights say is not what a file system does. */
async function canWriteIn(folder: string): Promise<boolean> {
  try {
    await rmdir(await mkdtemp(join(folder, '.dataagent-')))
    return true
  } catch {
    return false
  }
}

async function canAppend(file: string): Promise<boolean> {
  try {
    await using _ = await open(file, 'a')
    return true
  } catch {
    return false
  }
}

function formatRoom(bytes: number): string {
  if (bytes < mib) return `${Math.ceil(bytes / 1024)} kB`
  if (bytes < 1024 * mib) return `${Math.round(bytes / mib)} MB`
  return `${Math.round(bytes / mib / 1024)} GB`
}
