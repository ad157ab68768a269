import { lastUserText, type RecordedRequest, toolRounds } from '@dataagent/testkit'

/** As fast as models write. */
const betweenWordsMs = 20

export const toMessage = (words: number) => `Say ${words} words`

/** One call of a tool, then as many words as were asked for. */
export function byWords(request: RecordedRequest) {
  const words = Number(/^Say (\d+) words$/.exec(lastUserText(request))?.[1])
  const tool = request.tools.find(({ name }) => name.endsWith('ask'))
  if (tool === undefined) return { error: 400, message: 'the tool is not offered' }
  if (toolRounds(request) === 0) {
    return { toolCalls: [{ name: tool.name, arguments: { id: 'one' } }] }
  }
  return { text: Array.from({ length: words }, () => 'word').join(' '), itl: betweenWordsMs }
}
