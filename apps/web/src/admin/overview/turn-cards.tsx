import { useFormats, useWords } from '../../words/use-words.ts'
import { BarChart } from '../charts/bar-chart.tsx'
import { LineChart } from '../charts/line-chart.tsx'
import { overviewWords } from './overview-words.ts'
import { sumOf } from './parse-metrics.ts'
import { type Minute, rateOf } from './per-minute.ts'
import { StatCard } from './stat-card.tsx'
import {
  useHistory,
  useMetrics,
  useRecentCalls,
  useRecentTurns,
  useTenantUsage,
} from './use-overview.ts'

const slots = 60

export function RunningCard() {
  const words = useWords(overviewWords)
  const formats = useFormats()
  const usage = useTenantUsage()
  const metrics = useMetrics()
  const running = usage.data?.running_turns
  const sockets = metrics.data && sumOf(metrics.data, 'dataagent_sockets_open')
  const history = useHistory(running, usage.dataUpdatedAt, slots)
  return (
    <StatCard
      title={words.turns}
      value={running === undefined ? '…' : formats.number(running)}
      hint={sockets !== undefined && words.sockets(formats.number(sockets))}
    >
      <LineChart label={words.turnsChart} values={history} slots={slots} />
    </StatCard>
  )
}

export function RateCard() {
  const words = useWords(overviewWords)
  const formats = useFormats()
  const { data: counted } = useRecentTurns()
  const toBars = useMinuteBars()
  if (!counted) return null
  return (
    <StatCard
      title={words.rate}
      value={words.perMinute(formats.number(rateOf(counted)))}
      hint={words.rateHint}
    >
      <BarChart label={words.rateChart} bars={toBars(counted)} />
    </StatCard>
  )
}

export function ToolErrorsCard() {
  const words = useWords(overviewWords)
  const formats = useFormats()
  const { data } = useRecentCalls()
  const toBars = useMinuteBars()
  const counted = data ?? []
  const all = counted.reduce((sum, { count }) => sum + count, 0)
  const bad = counted.reduce((sum, minute) => sum + minute.bad, 0)
  const part = all === 0 ? 0 : (bad / all) * 100
  return (
    <StatCard
      title={words.toolErrors}
      value={data ? `${formats.number(Math.round(part * 10) / 10)} %` : '…'}
      tone={part >= 20 ? 'bad' : 'plain'}
      hint={
        all === 0 ? words.noCalls : words.toolErrorsHint(formats.number(bad), formats.number(all))
      }
    >
      <BarChart label={words.callsChart} bars={toBars(counted)} />
    </StatCard>
  )
}

function useMinuteBars() {
  const words = useWords(overviewWords)
  const formats = useFormats()
  return (counted: readonly Minute[]) =>
    counted.map(({ at, count, bad }) => {
      const time = formats.clock(at)
      const title =
        bad === 0
          ? words.minute(time, formats.number(count))
          : words.minuteBad(time, formats.number(count), formats.number(bad))
      return { key: String(at), value: count, bad, title }
    })
}
