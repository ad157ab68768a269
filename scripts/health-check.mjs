// Exit code 0 where the server of this container is ready: on the port, and with TLS where that is
// set, as its environment says.
import http from 'node:http'
import https from 'node:https'
import { env, exit } from 'node:process'

const isTls = Boolean(env.DATAAGENT_TLS_CERT)
const options = {
  ...{ host: '127.0.0.1', port: env.DATAAGENT_PORT || 8000, path: '/api/v1/ready' },
  // The certificate is of the name that others know, not of this one.
  ...{ rejectUnauthorized: false, timeout: 5_000 },
}
const request = (isTls ? https : http).get(options, ({ statusCode }) =>
  exit(statusCode === 200 ? 0 : 1),
)
request.on('timeout', () => exit(1))
request.on('error', () => exit(1))
