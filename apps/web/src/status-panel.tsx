import type { DependencyState } from './api.ts'
import { formatDuration, type Lang, type Translate } from './texts.ts'
import type { Status } from './use-status.ts'

interface StatusPanelProps {
  status: Status
  lang: Lang
  t: Translate
}

export function StatusPanel({ status, lang, t }: StatusPanelProps) {
  const state = status.kind === 'answered' ? status.health.status : status.kind
  return (
    <section className="panel" aria-labelledby="status-heading">
      <h2 id="status-heading">{t('status')}</h2>
      <ul className="states" aria-live="polite">
        <StateRow name={t('server')} state={state} label={t(state)} />
        {status.kind === 'answered' &&
          status.dependencies.map((dependency) => (
            <DependencyRow key={dependency.name} dependency={dependency} lang={lang} t={t} />
          ))}
      </ul>
      {status.kind === 'answered' && (
        <dl className="facts">
          <Fact name={t('uptime')} value={formatDuration(status.health.uptime, lang)} />
          <Fact name={t('version')} value={status.health.version} />
        </dl>
      )}
    </section>
  )
}

interface DependencyRowProps {
  dependency: DependencyState
  lang: Lang
  t: Translate
}

function DependencyRow({ dependency, lang, t }: DependencyRowProps) {
  const { name, status, since } = dependency
  const time = new Date(since).toLocaleTimeString(lang === 'zh' ? 'zh-CN' : 'en-GB')
  const label = status === 'away' ? `${t(status)} (${t('since')} ${time})` : t(status)
  return <StateRow name={t(name)} state={status} label={label} />
}

function StateRow({ name, state, label }: { name: string; state: string; label: string }) {
  return (
    <li>
      <span>{name}</span>
      <span className={`state state-${state}`}>{label}</span>
    </li>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
