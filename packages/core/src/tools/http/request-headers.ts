import { AppError } from '@dataagent/schema'

/** Credentials, and what the connection itself decides. */
const refused = new RegExp(
  '^(authorization|proxy-.*|cookie2?|host|connection|content-length|transfer-encoding|upgrade|te|' +
    'trailer|expect|keep-alive|forwarded|x-forwarded-.*|x-real-ip|via|sec-.*|x-auth.*|' +
    '.*(api[-_]?key|token|secret|password|credential|session).*)$',
  'i',
)

/** Headers as a model gives them. Throws `invalid_request` for one that it may not set. */
export function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const wrong = Object.keys(headers).find((name) => refused.test(name.trim()))
  if (wrong === undefined) return { ...headers }
  throw new AppError(
    'invalid_request',
    `The header ${JSON.stringify(wrong.slice(0, 100))} cannot be set here: credentials never go ` +
      'through this tool. Leave it out; for a service that needs a key, ask an administrator to ' +
      'connect it as a server',
  )
}
