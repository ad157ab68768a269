// A server whose times are known, in a process of its own: what the asker is slow at does not slow
// it. Its arguments are the name of a distribution and how many times are drawn of it. Tells its
// address once it listens and, when it is asked, how long it has really waited.
import { setTimeout as pause } from 'node:timers/promises'
import { startAgentServer, text } from '../ask/test-agent-server.ts'
import { bimodal, lognormal } from './test-distributions.ts'

const [name, count] = process.argv.slice(2)
const drawn = (name === 'bimodal' ? bimodal : lognormal)(Number(count))
const served: number[] = []
let asked = 0

const { baseUrl } = await startAgentServer({
  async turn({ send }) {
    const ms = drawn[asked] ?? 0
    asked += 1
    const from = performance.now()
    await pause(ms)
    served.push(performance.now() - from)
    send(text('It is 42.'))
  },
})
process.on('message', () => process.send?.(served))
process.on('disconnect', () => process.exit())
process.send?.(baseUrl)
