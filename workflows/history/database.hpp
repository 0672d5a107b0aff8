// Wrapper of SQLite. No other room includes the headers of SQLite.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace warpcheck::workflows::history {

/// One database file. Every error is thrown and names the file: InputError if the file is not a
/// database or is damaged, EnvironmentError if the system refuses (disk full, no permission, locked
/// for a minute).
class Database {
 public:
  /// Creates a missing file if `create` is set.
  Database(std::string path, bool create);

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Runs one or more statements that return no rows.
  void run(const std::string& statements);
  [[nodiscard]] std::int64_t last_row() const;

 private:
  friend class Query;
  friend class Transaction;
  struct Closer {
    void operator()(sqlite3* handle) const;
  };
  [[noreturn]] void fail(int code) const;

  std::string path_;
  std::unique_ptr<sqlite3, Closer> handle_;
};

/// One statement and its values, which are bound in the order of its question marks. Bound texts
/// are copied.
class Query {
 public:
  Query(const Database& database, std::string_view statement);

  Query& bind(std::int64_t value);
  Query& bind(double value);
  Query& bind(std::string_view value);
  Query& bind_maybe(const std::optional<double>& value);
  Query& bind_maybe(const std::optional<std::string>& value);
  /// Binds a value of any type from another query's row.
  Query& bind_from(const Query& row, int column);

  /// Moves to the next row; returns false if there is none. Then the statement can be bound again.
  bool next();
  void run() {
    while (next()) {
    }
  }

  // Values of the current row; columns count from 0.
  [[nodiscard]] int columns() const;
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::optional<double> maybe_real(int column) const;
  [[nodiscard]] std::optional<std::string> maybe_text(int column) const;

 private:
  struct Closer {
    void operator()(sqlite3_stmt* statement) const;
  };
  void check(int code) const;

  const Database& database_;
  std::unique_ptr<sqlite3_stmt, Closer> statement_;
  int bound_ = 0;
};

/// A transaction: changes that are not committed before it or the process ends are rolled back. A
/// nested transaction is part of the outer one.
class Transaction {
 public:
  explicit Transaction(Database& database);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  void commit();

 private:
  Database& database_;
  bool within_ = false;
  bool open_ = true;
};

}  // namespace warpcheck::workflows::history
