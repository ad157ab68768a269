import { expect, test } from 'vitest'
import { parseMetrics, sumOf } from './parse-metrics.ts'

const text = `# HELP dataagent_turns_running Turns that run now
# TYPE dataagent_turns_running gauge
dataagent_turns_running{worker="1"} 3
dataagent_http_requests_total{worker="1",method="GET",route="/a\\"b",status="200"} 10
dataagent_http_requests_total{worker="1",method="GET",route="/a",status="429"} 2
nonsense
`

test('samples are read with their labels, other lines passed over', () => {
  const samples = parseMetrics(text)
  expect(samples).toHaveLength(3)
  expect(samples[1]?.labels).toMatchObject({ route: '/a"b', status: '200' })
})

test('samples of a name are added up, those that fit alone', () => {
  const samples = parseMetrics(text)
  expect(sumOf(samples, 'dataagent_http_requests_total')).toBe(12)
  const isRefused = ({ status }: { [name: string]: string }) => status === '429'
  expect(sumOf(samples, 'dataagent_http_requests_total', isRefused)).toBe(2)
  expect(sumOf(samples, 'other')).toBeUndefined()
})
