import { startHostileHttp } from '@dataagent/testkit'

/** A good HTTP server in a process of its own: prints where it is reached, then serves. */
const { url, sseUrl } = await startHostileHttp('none')
console.log(JSON.stringify({ http: url, sse: sseUrl }))
