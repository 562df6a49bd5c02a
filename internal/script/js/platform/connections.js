export const defineConnection = (connection) => __bdk.mark("connection", connection);
