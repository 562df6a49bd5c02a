export const defineSkill = (skill) => __bdk.mark("skill", skill);
