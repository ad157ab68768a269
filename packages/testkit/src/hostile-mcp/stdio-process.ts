import { createInterface } from 'node:readline'
import type { Message, Peer } from './mode.ts'
import { type HostileMode, modes } from './modes/table.ts'
import { createFileNotes } from './notes.ts'
import { createScene, noteArrival, sendText, takeMessage } from './scene.ts'
import { createWriter } from './write-all.ts'

// A server on stdin and stdout. Its one argument is JSON: the mode, where to note, and the knobs.

const {
  mode: name,
  notesFile,
  ...knobs
} = JSON.parse(process.argv[2] ?? '') as {
  mode: HostileMode
  notesFile: string
}
const notes = createFileNotes(notesFile)
notes.add('start', process.pid)
const scene = createScene(knobs, notes)
const { lives = Number.POSITIVE_INFINITY } = scene.knobs
const mode = notes.read('start').length > lives ? modes.none : modes[name]

const peer: Peer = {
  session: 'stdio',
  frame: { before: '', after: '\n' },
  raw: createWriter(process.stdout),
  notify: (message) => sendText(peer, JSON.stringify(message)),
  end() {},
  cut: () => process.kill(process.pid, 'SIGKILL'),
}

process.stdout.on('error', () => process.exit())
await mode.start?.(scene)
for await (const line of createInterface(process.stdin)) {
  const message = JSON.parse(line) as Message
  noteArrival(message, scene)
  void takeMessage(message, { peer, scene, mode })
}
