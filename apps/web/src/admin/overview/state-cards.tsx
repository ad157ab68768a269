import { Link } from '@tanstack/react-router'
import { useSharedServers } from '../../tools/use-servers.ts'
import { useFormats, useWords } from '../../words/use-words.ts'
import { LineChart } from '../charts/line-chart.tsx'
import { overviewWords } from './overview-words.ts'
import { type Sample, sumOf } from './parse-metrics.ts'
import { StatCard } from './stat-card.tsx'
import { useHistory, useMetrics, useToday } from './use-overview.ts'

export function ServersCard() {
  const words = useWords(overviewWords)
  const formats = useFormats()
  const { data } = useSharedServers()
  const servers = data?.filter(({ disabled }) => !disabled) ?? []
  const down = servers.filter(({ status }) => status === 'error').length
  const running = servers.filter(({ status }) => status === 'running').length
  return (
    <StatCard
      title={words.serversDown}
      value={data ? formats.number(down) : '…'}
      tone={down > 0 ? 'bad' : 'plain'}
      hint={
        servers.length === 0
          ? words.noServers
          : words.serversHint(formats.number(running), formats.number(servers.length))
      }
    />
  )
}

const refusals = ['401', '403', '429', '503'] as const
const requests = 'dataagent_http_requests_total'

function countOf(samples: readonly Sample[], wanted: string): number {
  // Probes are told 503 while the server starts: nobody was refused by that.
  const isCounted = ({ status, route }: Sample['labels']) =>
    status === wanted && route !== '/api/v1/ready'
  return sumOf(samples, requests, isCounted) ?? 0
}

export function RefusedCard() {
  const words = useWords(overviewWords)
  const formats = useFormats()
  const { data, dataUpdatedAt } = useMetrics()
  const counts = refusals.map((status) => [status, data ? countOf(data, status) : 0] as const)
  const all = data && counts.reduce((sum, [, count]) => sum + count, 0)
  const history = useHistory(all, dataUpdatedAt, 60)
  if (!data) return null
  const since = history[0] ?? 0
  return (
    <StatCard
      title={words.refused}
      value={formats.number(all ?? 0)}
      hint={
        <>
          {words.refusedHint}
          <ul className="flex flex-wrap gap-x-3">
            {counts
              .filter(([, count]) => count > 0)
              .map(([status, count]) => (
                <li key={status}>
                  {words.refusedBy(words.refusals[status], formats.number(count))}
                </li>
              ))}
          </ul>
        </>
      }
    >
      <LineChart
        label={words.refusedChart}
        values={history.map((value) => value - since)}
        slots={60}
      />
    </StatCard>
  )
}

export function ApprovalsCard() {
  const words = useWords(overviewWords)
  const formats = useFormats()
  const { data } = useMetrics()
  const waiting = data && sumOf(data, 'dataagent_approvals_pending')
  if (waiting === undefined) return null
  return (
    <StatCard
      title={words.approvals}
      value={formats.number(waiting)}
      tone={waiting > 0 ? 'wait' : 'plain'}
      hint={
        waiting > 0 && (
          <>
            {words.approvalsHint}{' '}
            <Link to="/approvals" className="text-accent underline">
              {words.toApprovals}
            </Link>
          </>
        )
      }
    />
  )
}

export function TodayCard() {
  const words = useWords(overviewWords)
  const formats = useFormats()
  const { data } = useToday()
  const rows = data?.rows ?? []
  const sum = (of: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + of(row), 0)
  const tokens = sum((row) => row.prompt_tokens + row.completion_tokens)
  const cost = sum((row) => row.cost_micros) / 1_000_000
  return (
    <StatCard
      title={words.today}
      value={data ? words.todayTurns(formats.number(sum((row) => row.runs))) : '…'}
      hint={words.todayHint(formats.number(tokens), formats.number(cost))}
    />
  )
}
