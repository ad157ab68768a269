// A server whose times are known, in a process of its own: what the asker is slow at does not slow
// it. Its arguments are the name of a distribution and how many times are drawn of it; tells its
// address once it listens.
import { setTimeout as pause } from 'node:timers/promises'
import { startAgentServer, text } from '../ask/test-agent-server.ts'
import { bimodal, lognormal } from './test-distributions.ts'

const [name, count] = process.argv.slice(2)
const drawn = (name === 'bimodal' ? bimodal : lognormal)(Number(count))
let asked = 0

const { baseUrl } = await startAgentServer({
  async turn({ send }) {
    const ms = drawn[asked] ?? 0
    asked += 1
    await pause(ms)
    send(text('It is 42.'))
  },
})
process.on('disconnect', () => process.exit())
process.send?.(baseUrl)
