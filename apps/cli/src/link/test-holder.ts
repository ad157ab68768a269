import { openLocal } from './open-local.ts'

// A terminal that opens a link, says so, and stays: to be killed.
const { servers, ...options } = JSON.parse(process.env.TEST_LINK ?? '{}')
const link = await openLocal(options)
await link.setServers?.(servers)
process.stdout.write('open\n')
setInterval(() => {}, 60_000)
