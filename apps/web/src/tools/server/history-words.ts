import { defineWords } from '../../words/words.ts'

export const historyWords = defineWords({
  en: {
    lastHours: 'Last 6 hours',
    since: (time: string) => `Since ${time}`,
    titleOf: (title: string, whose: string) => `${title} · ${whose}`,
    bar: (whose: string, parts: string) => `${whose}: ${parts}`,
    part: (state: string, time: string) => `${state} ${time}`,
    unknown: 'nothing is known',
    all: 'Connection of all users',
    ofUser: (user: string) => `Connection of ${user}`,
    changes: (n: number) => (n === 1 ? '1 change' : `${n} changes`),
    about:
      'The latest 50 changes of up to 7 days. Without Redis they begin anew when the platform restarts.',
    empty: 'No change of its connection is known yet.',
    took: (time: string) => `connected in ${time}`,
    states: {
      connected: 'Connected',
      connecting: 'Connecting',
      error: 'Error',
      idle: 'Disconnected',
    },
    fromTo: (from: string, to: string) => `${from} → ${to}`,
  },
  zh: {
    lastHours: '最近 6 小时',
    since: (time: string) => `${time} 以来`,
    titleOf: (title: string, whose: string) => `${title} · ${whose}`,
    bar: (whose: string, parts: string) => `${whose}：${parts}`,
    part: (state: string, time: string) => `${state} ${time}`,
    unknown: '没有记录',
    all: '所有人共用的连接',
    ofUser: (user: string) => `${user} 的连接`,
    changes: (n: number) => `${n} 次变化`,
    about: '最多保留 7 天内最近 50 次变化。未使用 Redis 时，平台重启后重新记录。',
    empty: '还没有连接变化的记录。',
    took: (time: string) => `连接用时 ${time}`,
    states: {
      connected: '已连接',
      connecting: '连接中',
      error: '出错',
      idle: '未连接',
    },
    fromTo: (from: string, to: string) => `${from} → ${to}`,
  },
})
