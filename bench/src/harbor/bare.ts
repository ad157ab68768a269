/** One question as few lines put it: a session, then its turn, read and thrown away. */
export type Ask = (url: string) => Promise<void>

const headers = { 'content-type': 'application/json', 'x-api-key': 'key' }
const question = 'How many orders are open?'

async function openSession(url: string): Promise<string> {
  const body = JSON.stringify({ title: question })
  const response = await fetch(`${url}/api/v1/sessions`, { method: 'POST', headers, body })
  return ((await response.json()) as { session_id: string }).session_id
}

export const askByFetch: Ask = async (url) => {
  const body = JSON.stringify({ session_id: await openSession(url), message: question })
  const request = { method: 'POST', headers, body }
  const response = await fetch(`${url}/api/v1/chat?stream=true`, request)
  const events = await response.text()
  if (!events.includes('"done"')) throw new Error(`no end: ${events}`)
}

export const askBySocket: Ask = async (url) => {
  const session_id = await openSession(url)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/chat/${session_id}`)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.onopen = () => {
    socket.send('{"type":"resume","payload":{"seq":0,"offset":0}}')
    const payload = { message: question, message_id: 'm' }
    socket.send(JSON.stringify({ type: 'chat', payload }))
  }
  socket.onmessage = ({ data }) => String(data).includes('"done"') && resolve()
  socket.onerror = () => reject(new Error('the socket failed'))
  await promise.finally(() => socket.close())
}
