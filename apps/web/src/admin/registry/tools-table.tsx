import type { RegisteredTool } from '@dataagent/schema'
import { Link } from '@tanstack/react-router'
import { useReason } from '../../explain/use-reason.ts'
import { riskTones, toRisk } from '../../tools/server/risk.ts'
import { serverWords } from '../../tools/server/server-words.ts'
import { Badge, StateDot, type Tone } from '../../ui/badge.tsx'
import { Mono } from '../../ui/details.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { registryWords } from './registry-words.ts'
import { registryToolsWords } from './tools-words.ts'

const verdictTones = { allow: 'good', ask: 'wait', deny: 'bad' } as const
const offerTones: Record<RegisteredTool['offer']['status'], Tone> = {
  ...{ offered: 'good', withheld: 'wait', unavailable: 'bad' },
}

export function ToolsTable({ tools }: { tools: readonly RegisteredTool[] }) {
  const words = useWords(registryToolsWords)
  const common = useWords(adminWords)
  const { scopes } = useWords(registryWords)
  const { risks } = useWords(serverWords)
  const formats = useFormats()
  const columns: Column<RegisteredTool>[] = [
    {
      ...{ name: 'tool', head: common.tool, className: 'min-w-64 max-w-96' },
      cell: (tool) => <ToolName tool={tool} />,
    },
    {
      ...{ name: 'server', head: common.server },
      cell: ({ server_name, scope, user_id }) => (
        <span className="flex flex-col items-start gap-1">
          <PlainText text={server_name} />
          <Badge>{user_id === null ? scopes[scope] : words.ofUser(user_id)}</Badge>
        </span>
      ),
    },
    { name: 'state', head: common.state, cell: (tool) => <OfferState tool={tool} /> },
    {
      ...{ name: 'risk', head: words.risk },
      cell: ({ annotations }) => {
        const risk = toRisk(annotations)
        return <Badge tone={riskTones[risk]}>{risks[risk]}</Badge>
      },
    },
    {
      ...{ name: 'policy', head: words.policy, className: 'min-w-44' },
      cell: (tool) => <Judged tool={tool} />,
    },
    {
      ...{ name: 'tokens', head: words.tokens, align: 'end' },
      cell: ({ tokens }) => formats.number(tokens),
    },
  ]
  return (
    <Table
      caption={words.list}
      columns={columns}
      rows={tools}
      keyOf={({ server_id, name }) => `${server_id}/${name}`}
    />
  )
}

function ToolName({ tool: { sdk_name, description, findings } }: { tool: RegisteredTool }) {
  const words = useWords(registryToolsWords)
  const formats = useFormats()
  return (
    <span className="flex flex-col items-start gap-0.5">
      <Mono text={sdk_name} />
      <span className="line-clamp-2 text-[13px] text-soft [overflow-wrap:anywhere]">
        <PlainText text={description} />
      </span>
      {findings.length > 0 && (
        <Badge tone={findings.some(({ severity }) => severity === 'high') ? 'bad' : 'wait'}>
          {words.findings(formats.number(findings.length))}
        </Badge>
      )}
    </span>
  )
}

/** Held back, or not; and the way to decide on what waits. */
function OfferState({ tool: { offer, server_id, user_id } }: { tool: RegisteredTool }) {
  const words = useWords(registryToolsWords)
  const isHeld = offer.status === 'withheld'
  const isWaiting = isHeld && (offer.why === 'quarantined' || offer.why === 'pending')
  return (
    <span className="flex flex-col items-start gap-1">
      <StateDot
        tone={offerTones[offer.status]}
        text={isHeld ? words.withheld[offer.why] : words.offers[offer.status]}
      />
      {isWaiting && user_id === null && (
        <Link
          to="/tools/servers/$serverId"
          params={{ serverId: server_id }}
          search={{ tab: 'waiting' }}
          className="text-[13px] text-accent underline"
        >
          {words.toDecide}
        </Link>
      )}
    </span>
  )
}

function Judged({ tool: { verdict, by, sdk_name, user_id } }: { tool: RegisteredTool }) {
  const words = useWords(registryToolsWords)
  const toReason = useReason()
  const user = user_id === null ? {} : { user: user_id }
  return (
    <span className="flex flex-col items-start gap-1">
      <Badge tone={verdictTones[verdict]}>{words.verdicts[verdict]}</Badge>
      <span className="text-[13px] text-soft [overflow-wrap:anywhere]">
        <PlainText text={toReason(by)} />
      </span>
      <Link
        to="/admin/policies"
        search={{ tab: 'explain', tool: sdk_name, ...user }}
        aria-label={words.explain(sdk_name)}
        className="text-[13px] text-accent underline"
      >
        {words.why}
      </Link>
    </span>
  )
}
