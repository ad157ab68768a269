import type { Caution, Concern, serviceCategories } from './words.ts'

export interface Service {
  service_id: string
  name: string
  category: (typeof serviceCategories)[number]
  price_yuan: number
  /** Of one course. */
  sessions: number
  interval_days: number
  recovery_days: number
  minutes: number
  /** What it helps with, and how much: 1 to 3. */
  helps: Partial<Record<Concern, 1 | 2 | 3>>
  cautions: readonly Caution[]
}

type Row = [
  name: string,
  category: Service['category'],
  numbers: [yuan: number, sessions: number, interval: number, recovery: number, minutes: number],
  helps: Service['helps'],
  cautions: readonly Caution[],
]

const rows: Row[] = [
  [
    '光子嫩肤',
    '光电',
    [980, 5, 28, 1, 40],
    { 色斑: 2, 暗沉: 2, 敏感泛红: 2, 毛孔粗大: 1 },
    ['光敏', '孕期或哺乳期'],
  ],
  [
    '皮秒激光',
    '光电',
    [2680, 3, 42, 5, 50],
    { 色斑: 3, 痘印: 2, 毛孔粗大: 2 },
    ['光敏', '瘢痕体质', '孕期或哺乳期'],
  ],
  [
    '点阵激光',
    '光电',
    [2280, 3, 45, 7, 60],
    { 痘印: 3, 毛孔粗大: 3, 细纹: 1 },
    ['光敏', '瘢痕体质', '孕期或哺乳期', '利多卡因过敏'],
  ],
  ['射频紧肤', '光电', [3600, 3, 30, 1, 60], { 松弛: 2, 细纹: 2 }, ['孕期或哺乳期']],
  [
    '聚焦超声提升',
    '光电',
    [9800, 1, 365, 3, 90],
    { 松弛: 3, 细纹: 1 },
    ['孕期或哺乳期', '利多卡因过敏'],
  ],
  ['红蓝光祛痘', '光电', [380, 6, 7, 0, 30], { 痘痘: 2, 敏感泛红: 1 }, ['光敏']],
  ['激光脱毛', '光电', [680, 6, 35, 1, 30], { 多余毛发: 3 }, ['光敏', '孕期或哺乳期']],
  [
    '玻尿酸填充',
    '注射',
    [4200, 1, 270, 3, 40],
    { 细纹: 3, 松弛: 1 },
    ['孕期或哺乳期', '利多卡因过敏', '服用抗凝药'],
  ],
  ['肉毒素除皱', '注射', [2200, 1, 150, 1, 20], { 细纹: 3 }, ['孕期或哺乳期', '服用抗凝药']],
  [
    '水光注射',
    '注射',
    [1580, 3, 28, 2, 45],
    { 暗沉: 3, 毛孔粗大: 2, 细纹: 1 },
    ['孕期或哺乳期', '利多卡因过敏', '服用抗凝药'],
  ],
  [
    '果酸焕肤',
    '皮肤护理',
    [580, 4, 21, 2, 40],
    { 痘痘: 2, 暗沉: 2, 痘印: 1, 毛孔粗大: 1 },
    ['光敏'],
  ],
  ['水杨酸护理', '皮肤护理', [480, 4, 14, 1, 40], { 痘痘: 3, 毛孔粗大: 2 }, ['孕期或哺乳期']],
  ['深层补水护理', '皮肤护理', [320, 6, 14, 0, 60], { 敏感泛红: 2, 暗沉: 1 }, []],
  ['舒敏修护', '皮肤护理', [460, 4, 14, 0, 60], { 敏感泛红: 3, 痘痘: 1 }, []],
  ['生发头皮护理', '毛发', [520, 8, 14, 0, 60], { 脱发: 2 }, []],
  ['低能量激光生发', '毛发', [780, 10, 14, 0, 40], { 脱发: 3 }, ['光敏']],
]

/** What the clinic offers. Prices are of one session. */
export const services: readonly Service[] = rows.map(toService)

function toService([name, category, numbers, helps, cautions]: Row, index: number): Service {
  const [price_yuan, sessions, interval_days, recovery_days, minutes] = numbers
  return {
    ...{
      service_id: `S${String(index + 1).padStart(2, '0')}`,
      name,
      category,
      price_yuan,
      sessions,
    },
    ...{ interval_days, recovery_days, minutes, helps, cautions },
  }
}
