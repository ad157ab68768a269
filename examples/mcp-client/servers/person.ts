import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'

/** Opens a page in a browser that says yes; gives what it would bring to the redirect address. */
export async function visit(authorizationUrl: string) {
  const [response]: IncomingMessage[] = await once(get(authorizationUrl), 'response')
  response?.resume()
  const { searchParams } = new URL(`${response?.headers.location}`)
  return Object.fromEntries(searchParams)
}
