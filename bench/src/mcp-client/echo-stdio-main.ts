import { answer } from './echo.ts'

let rest = ''
for await (const text of process.stdin.setEncoding('utf8')) {
  const lines = (rest + text).split('\n')
  rest = lines.pop() ?? ''
  const answers = lines.map(answer).filter((line) => line !== undefined)
  if (answers.length > 0) process.stdout.write(`${answers.join('\n')}\n`)
}
