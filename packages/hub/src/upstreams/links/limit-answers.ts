import { McpError, type Transport } from '@dataagent/mcp'
import { isJsonBeyond } from '../../json-beyond.ts'

/** As much as servers may answer over HTTP and stdio. */
const maxBytes = 16 * 1024 * 1024

/** Refuses what a server inside this process answers beyond the limit that others have. */
export function limitAnswers(transport: Transport): Transport {
  if (transport.kind !== 'in-process') return transport
  return {
    ...transport,
    async call(request, options) {
      const answer = await transport.call(request, options)
      if (isJsonBeyond(answer, maxBytes)) throw tooLarge(request.method)
      return answer
    },
  }
}

function tooLarge(method: string): McpError {
  const message = `mcp: the answer to "${method}" has more than ${maxBytes} bytes`
  return new McpError({ kind: 'too_large', code: 'too_large', message, mayHaveRun: true })
}
