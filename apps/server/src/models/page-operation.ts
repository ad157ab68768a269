import {
  type Content,
  isReference,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Reference,
  type Response,
} from './document.ts'
import { type Html, html, prose } from './html.ts'
import { renderRow, renderType } from './page-schema.ts'
import type { PageWords } from './page-words.ts'

export interface PlacedOperation {
  method: string
  path: string
  operation: Operation
}

/** One operation, folded: the line says what it is, the rest how it is called. */
export function renderOperation(
  { method, path, operation }: PlacedOperation,
  { components }: OpenApiDocument,
  words: PageWords,
): Html {
  const { operationId, summary, description, requestBody } = operation
  const parameters = (operation.parameters ?? []).map((one) => resolve(one, components.parameters))
  const answers = Object.entries(operation.responses).map(
    ([status, one]) => [status, resolve(one, components.responses)] as const,
  )
  return html`<details class="operation"><summary>
<span class="method ${method}">${method.toUpperCase()}</span>
<code>${path}</code> <span>${summary}</span>
</summary>
<div id="${operationId}">
<p>${description ?? ''}</p>
${parameters.length > 0 && renderParameters(parameters, words)}
${requestBody && html`<h3>${words.body}</h3>${renderContent(requestBody.content)}`}
<h3>${words.answers}</h3>
<table><tbody>${answers.map(([status, answer]) => renderAnswer(status, answer))}</tbody></table>
</div></details>
`
}

/** What the document says elsewhere, in its place. */
function resolve<T extends object>(value: T | Reference, from: Record<string, T>): T {
  return isReference(value) ? from[value.$ref.split('/').at(-1) ?? '']! : value
}

function renderParameters(parameters: Parameter[], words: PageWords): Html {
  const rows = parameters.map(({ name, required, schema, description, ...parameter }) => {
    const where = words.in[parameter.in] ?? parameter.in
    const about = description ? `${where}. ${description}` : where
    return renderRow({ path: name, required, schema: { ...schema, description: about } }, words)
  })
  return html`<h3>${words.parameters}</h3><table><tbody>${rows}</tbody></table>`
}

function renderContent(content: Content): Html[] {
  return Object.entries(content).map(
    ([type, { schema }]) => html`<p>${renderType(schema)} <small>${type}</small></p>`,
  )
}

function renderAnswer(status: string, { description, content = {} }: Response): Html {
  return html`<tr><td><code>${status}</code></td><td>${renderContent(content)}</td>
<td>${prose(description)}</td></tr>
`
}
