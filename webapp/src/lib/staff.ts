const STAFF = ["Support", "FinanceOps", "Admin"];

/** Roles decide which screens are offered; the server decides who may act. */
export const isStaff = (roles: string[] = []) => roles.some((role) => STAFF.includes(role));
export const isAdmin = (roles: string[] = []) => roles.includes("Admin");
export const isFinance = (roles: string[] = []) => roles.some((role) => role === "FinanceOps" || role === "Admin");
export const isSupport = (roles: string[] = []) => roles.some((role) => role === "Support" || role === "Admin");
