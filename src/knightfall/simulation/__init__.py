"""How a setup would end, played many times: compact nights and days, policies, chunks on any number of cores."""
