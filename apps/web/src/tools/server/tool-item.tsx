import type { ToolView } from '@dataagent/schema'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { useReason } from '../../explain/use-reason.ts'
import { JsonView } from '../../results/json-view.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { TryIt } from '../try/try-it.tsx'
import { Findings } from './findings.tsx'
import { riskTones, toRisk } from './risk.ts'
import { serverWords } from './server-words.ts'

/** One tool: what it does and takes, whether it may be called and why, and trying it. */
export function ToolItem({ tool }: { tool: ToolView }) {
  const words = useWords(serverWords)
  const toReason = useReason()
  const [isTrying, setTrying] = useState(false)
  const risk = toRisk(tool.annotations)
  return (
    <li className="flex flex-col gap-2 rounded-xl border border-line bg-panel px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-mono text-sm font-semibold [overflow-wrap:anywhere]">
          <PlainText text={tool.name} />
        </h3>
        {tool.title && (
          <span className="text-sm text-soft">
            <PlainText text={tool.title} />
          </span>
        )}
        <Badge tone={riskTones[risk]}>{words.risks[risk]}</Badge>
        <Badge tone={tool.verdict === 'allow' ? 'good' : 'wait'}>
          {words.verdicts[tool.verdict]}
        </Badge>
        <span className="ml-auto">
          <Button
            size="small"
            aria-expanded={isTrying}
            icon={isTrying ? undefined : <Play aria-hidden="true" className="size-3.5" />}
            onClick={() => setTrying(!isTrying)}
          >
            {isTrying ? words.closeTry : words.tryIt}
          </Button>
        </span>
      </div>
      <p className="text-sm whitespace-pre-line [overflow-wrap:anywhere]">
        <PlainText text={tool.description} />
      </p>
      <Findings findings={tool.findings} />
      <details className="text-[13px]">
        <summary className="text-soft">
          {words.schema} · {words.why} · {words.version(tool.version)}
        </summary>
        <div className="mt-2 flex flex-col gap-3">
          <p>
            {words.why}: <PlainText text={toReason(tool.by)} />
          </p>
          <Parameters schema={tool.inputSchema} />
          <div>
            <h4 className="font-medium">{words.schema}</h4>
            <JsonView value={tool.inputSchema} />
          </div>
          {tool.outputSchema && (
            <div>
              <h4 className="font-medium">{words.output}</h4>
              <JsonView value={tool.outputSchema} depth={1} />
            </div>
          )}
        </div>
      </details>
      {isTrying && <TryIt tool={tool} />}
    </li>
  )
}

/** Names, types and what they mean; required ones with a star. */
function Parameters({ schema }: { schema: ToolView['inputSchema'] }) {
  const words = useWords(serverWords)
  const { properties, required } = schema
  const isGroup = typeof properties === 'object' && properties !== null
  const entries = isGroup && !Array.isArray(properties) ? Object.entries(properties) : []
  const needed = new Set(Array.isArray(required) ? required : [])
  if (entries.length === 0) return <p className="text-soft">{words.noParams}</p>
  return (
    <div>
      <h4 className="font-medium">{words.params}</h4>
      <ul>
        {entries.map(([name, about]) => (
          <li key={name} className="[overflow-wrap:anywhere]">
            <code>
              <PlainText text={name} />
              {needed.has(name) && '*'}
            </code>{' '}
            <PlainText text={describe(about)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function describe(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return ''
  const { type, description } = schema as { type?: unknown; description?: unknown }
  const kind = Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : ''
  return [kind, typeof description === 'string' ? description : ''].filter(Boolean).join(' · ')
}
